// Requests to the service that this page comes from.

const KEY = "kgdb-key";

export class Problem extends Error {
  constructor(status, told) {
    super([told.detail, told.hint].filter(Boolean).join(" ") || `The service answers ${status}.`);
    this.status = status;
  }
}

function headers(more) {
  const key = sessionStorage.getItem(KEY);
  return { "Content-Type": "application/json", ...(key ? { Authorization: `Bearer ${key}` } : {}), ...more };
}

// The key stays in this tab alone.
async function askedForKey() {
  const dialog = document.getElementById("key-dialog");
  const closed = new Promise((done) => dialog.addEventListener("close", done, { once: true }));
  dialog.showModal();
  await closed;
  sessionStorage.setItem(KEY, document.getElementById("key").value.trim());
}

async function sent(path, body, more) {
  const options = body === undefined ? { headers: headers(more) } : { method: "POST", headers: headers(more), body: JSON.stringify(body) };
  const response = await fetch(path, options);
  if (response.status === 401) {
    await askedForKey();
    return sent(path, body, more);
  }
  if (!response.ok) {
    throw new Problem(response.status, await response.json().catch(() => ({})));
  }
  return response;
}

export async function told(path, body) {
  return (await sent(path, body)).json();
}

export const of = (graph, what) => `/v1/graphs/${encodeURIComponent(graph)}/${what}`;

// The answer to a question; each stage is told as it ends.
export async function answered(graph, body, onStage) {
  if (body.after.length) {
    return told(of(graph, "answer"), body);
  }
  const response = await sent(of(graph, "answer"), body, { Accept: "text/event-stream" });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      throw new Problem(response.status, { detail: "The service ended before it answered." });
    }
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const [, name, data] = event.match(/^event: (.*)\ndata: (.*)$/);
      if (name === "stage") {
        onStage(JSON.parse(data).name);
      } else if (name === "problem") {
        throw new Problem(JSON.parse(data).status, JSON.parse(data));
      } else {
        return JSON.parse(data);
      }
    }
  }
}
