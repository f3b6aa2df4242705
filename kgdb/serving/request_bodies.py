"""What requests say, as it is checked before anything is asked."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from kgdb.methods import DEFAULT, METHODS
from kgdb.wording import counted, listed

_Text = Annotated[str, Field(min_length=1, max_length=2000)]
_Query = Annotated[str, Field(min_length=1, max_length=20_000)]
_MOST = 100


def _few(value: Any) -> Any:
    """Refuse many items before each of them is looked at, and told wrong."""
    if isinstance(value, list | dict) and len(value) > _MOST:
        raise ValueError(f"it has {counted(len(value), 'item')}; at most {_MOST} are taken")
    return value


_FEW = BeforeValidator(_few)
_Id = Annotated[str, Field(min_length=1, max_length=1000)]


class Body(BaseModel):
    """A body that has no other fields than these."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _few_fields(cls, body: Any) -> Any:
        return _few(body)


class _Asked(Body):
    method: str = Field(DEFAULT, description=f"One of {listed(METHODS)}.")
    llm: Literal["none"] | None = Field(
        None, description="`none` asks without the service's language model."
    )
    options: Annotated[dict[str, str | int | float | bool], _FEW] = Field(
        default_factory=dict,
        description="Options of the method, as `--set` takes them.",
    )


class Questions(_Asked):
    """One question, or several that are answered together."""

    question: _Text | None = Field(None, examples=["Who wrote The Tuesday Engine?"])
    questions: Annotated[list[_Text] | None, _FEW] = None
    after: list[_Text] = Field(
        default_factory=list,
        max_length=8,
        description="The questions before it, from whose answers one question may go on.",
    )

    @model_validator(mode="after")
    def _one_kind(self) -> Questions:
        if (self.question is None) == (self.questions is None):
            raise ValueError("give either question or questions")
        if self.after and self.question is None:
            raise ValueError("after goes with one question")
        return self


class Claims(_Asked):
    """One claim, or several that are judged together."""

    claim: _Text | None = Field(None, examples=["Ruben Okonjo-Hale directed The Tuesday Engine."])
    claims: Annotated[list[_Text] | None, _FEW] = None

    @model_validator(mode="after")
    def _one_kind(self) -> Claims:
        if (self.claim is None) == (self.claims is None):
            raise ValueError("give either claim or claims")
        return self


class TextBody(_Asked):
    """A text whose claims are judged one by one."""

    text: Annotated[str, Field(min_length=1, max_length=100_000)] = Field(
        examples=["Ruben Okonjo-Hale directed The Tuesday Engine. Ada Weir wrote it."]
    )


class Mentions(Body):
    """Names to be linked to entities."""

    mentions: list[_Text] = Field(min_length=1, max_length=100, examples=[["Ada Weir"]])
    limit: int = Field(5, ge=1, le=50)


class Ids(Body):
    """Entities by their ids."""

    nodes: list[_Id] = Field(
        min_length=1, max_length=100, examples=[["Ada Weir", "Ruben Okonjo-Hale"]]
    )


class Nodes(Ids):
    """Entities whose facts are sought."""

    relations: list[_Id] = Field(default_factory=list, max_length=100)
    limit: int = Field(100, ge=1)


class PathEnds(Nodes):
    """Entities between which paths are sought."""

    max_hops: int = Field(3, ge=1, le=6)


class FormBody(Body):
    """A logical form, as docs/reference/forms.md lists the operators."""

    form: dict[str, Any] = Field(examples=[{"op": "Count", "form": {"op": "FindAll"}}])
    limit: int = Field(100, ge=0)


class CypherBody(Body):
    """A query that reads; it sees its graph and no other."""

    query: _Query = Field(examples=["RETURN 1 AS number"])


class ChatMessage(BaseModel):
    """A message of a chat; parts that are no text are passed over."""

    role: str
    content: str | list[dict[str, Any]] | None = None

    @property
    def text(self) -> str:
        """The text of the message."""
        if isinstance(self.content, list):
            return " ".join(str(part.get("text", "")) for part in self.content).strip()
        return (self.content or "").strip()


class ChatBody(BaseModel):
    """As clients of OpenAI's protocol send it; what a graph has no use for is passed over."""

    model: str
    messages: Annotated[list[ChatMessage], _FEW] = Field(min_length=1)
    stream: bool = False
