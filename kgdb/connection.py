"""A connection, its graphs, and answers over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgdb.disk import Disk
from kgdb.errors import UsageError
from kgdb.graph import Database, Graph, GraphInfo, find_graph, list_graphs
from kgdb.interop import Opened, Results, check_results, to_py2neo
from kgdb.lazy import LazyValues, lazy_property
from kgdb.optional_packages import optional
from kgdb.progress import Message, Report
from kgdb.settings import Settings
from kgdb.text_arguments import optional_text
from kgdb.values import Answer, TextVerdict, Verdict
from kgdb.wording import short

if TYPE_CHECKING:
    from py2neo import Graph as Py2neoGraph

    from kgdb.language import Encoder, LanguageModel
    from kgdb.language.experts.trained import TrainedExpert
    from kgdb.methods import Conversation, Method, Reasoner, Watch
    from kgdb.methods.verification.verifier import TrainedVerifier

_MODEL = "the name of a model"

_ANSWERING = ("expert", "verifier", "llm_dtype", "llm_context", "plugin")
"""Settings beside the names of the models that make a difference to answers and their cost."""


class Connection(Database):
    """A database with its knowledge graphs, as :func:`connect` gives it.

    Threads may share it, and the graphs and models that it gives: a model is loaded once, by
    whoever needs it first, and works for one thread at a time. Connections of one process share the
    models of one name.
    """

    def __init__(
        self,
        settings: Settings,
        report: Report,
        given: Opened | None = None,
        disk: Disk | None = None,
    ) -> None:
        given = given or Opened()
        self.disk = disk
        super().__init__(
            given.driver or settings.uri or "",
            settings.username,
            settings.password,
            settings.database,
            settings.plugin,
        )
        self._settings = settings
        self._gds = given.gds
        self._py2neo = given.py2neo
        self.report = report
        self._encoders = LazyValues[str, "Encoder"]()
        self._relation_encoders = LazyValues[str, "Encoder | None"]()
        self._reported_adapters = LazyValues[tuple[str, str], None]()
        self._llms = LazyValues[str, "LanguageModel | None"]()
        self._experts = LazyValues[str, "TrainedExpert | None"]()
        self._verifiers = LazyValues[str, "TrainedVerifier | None"]()

    @property
    def home(self) -> Path:
        """The folder of what kgdb keeps on this machine."""
        return self._settings.home

    def graphs(self) -> tuple[GraphInfo, ...]:
        """What is loaded."""
        return list_graphs(self)

    def graph(self, name: str | None = None) -> KnowledgeGraph:
        """The loaded graph of that name, or the only one there is."""
        return KnowledgeGraph(self, find_graph(self, name))

    def adopt(
        self,
        name: str,
        labels: str | Sequence[str] = (),
        *,
        id_property: str | None = None,
        name_properties: str | Mapping[str, str | Sequence[str]] | None = None,
        alias_properties: Sequence[str] = (),
        title: str | None = None,
    ) -> KnowledgeGraph:
        """Use nodes that are here already as the graph ``name``: those with one of the ``labels``.

        Without labels these are all nodes. Only bookkeeping and indexes are written; see
        :func:`kgdb.loading.adopt`.
        """
        from kgdb.loading import adopt

        adopt(
            self,
            name,
            labels,
            id_property=id_property,
            name_properties=name_properties,
            alias_properties=alias_properties,
            title=title,
            encoder=self.encoder,
            report=self.report,
        )
        return self.graph(name)

    def py2neo(self) -> Py2neoGraph:
        """A ``py2neo.Graph`` of the same database, for code that wants one (extra ``py2neo``)."""
        return self._py2neo if self._py2neo is not None else self._own_py2neo

    @lazy_property
    def _own_py2neo(self) -> Py2neoGraph:
        if self._borrowed:
            raise UsageError(
                "The connection was given as an open driver, which does not tell the password "
                "that py2neo needs.",
                hint="Connect by an address and a password, or by a py2neo.Graph.",
            )
        settings = self._settings
        return optional("py2neo", "py2neo").Graph(
            settings.uri, auth=(settings.username, settings.password), name=self.name
        )

    def encoder(self, name: str | None = None) -> Encoder:
        """The encoder of that name (default: the settings'), loaded once.

        Where that fails, the next call tries again.
        """
        from kgdb.language import load_encoder

        name = optional_text("encoder", name, _MODEL) or self._settings.encoder
        settings = replace(self._settings, encoder=name)
        return self._encoders.get(name, lambda: load_encoder(settings))

    def relation_encoder(
        self, name: str | None = None, graph: Graph | None = None
    ) -> Encoder | None:
        """The encoder of chains that an encoder of that name has, loaded as :meth:`encoder`.

        If it was trained for another graph than ``graph`` alone, or with other phrases, that is
        reported once.
        """
        from kgdb.language import load_relation_encoder

        name = optional_text("encoder", name, _MODEL) or self._settings.encoder
        settings = replace(self._settings, encoder=name)
        encoder = self._relation_encoders.get(name, lambda: load_relation_encoder(settings))
        if encoder is not None and graph is not None:
            self._reported_adapters.get(
                (name, graph.name), lambda: self._report_adapter(name, graph)
            )
        return encoder

    def _report_adapter(self, name: str, graph: Graph) -> None:
        from kgdb.language import adapter_folder

        if (folder := adapter_folder(name)) is None:
            return
        from kgdb.methods.chains.adapter_purpose import mismatch

        if notice := mismatch(folder, graph.name, graph.relations):
            self.report(Message(notice))

    def expert(self, name: str | None = None) -> TrainedExpert | None:
        """The trained expert of that name (default: the settings'), loaded as :meth:`encoder`.

        There is none where the encoder judges evidence.
        """
        from kgdb.language import load_expert

        name = optional_text("expert", name, _MODEL) or self._settings.expert
        settings = replace(self._settings, expert=name)
        return self._experts.get(name, lambda: load_expert(settings, self.report))

    def llm(self, name: str | None = None) -> LanguageModel | None:
        """The language model of that name (default: the settings'), loaded as :meth:`encoder`."""
        from kgdb.language import load_cached_llm

        name = optional_text("llm", name, _MODEL) or self._settings.llm
        settings = replace(self._settings, llm=name)
        return self._llms.get(name, lambda: load_cached_llm(settings, self.report))

    def untuned_llm(self, name: str | None = None) -> LanguageModel | None:
        """The language model of that name without its LoRA adapter; ``None`` if it has none."""
        from kgdb.language import without_adapter

        base = without_adapter(optional_text("llm", name, _MODEL) or self._settings.llm)
        return self.llm(base) if base else None

    def verifier(self, name: str | None = None) -> TrainedVerifier | None:
        """The trained verifier of that name (default: the settings'), loaded as :meth:`encoder`.

        There is none where rules judge.
        """
        from kgdb.methods.verification.verifier import load_verifier

        name = optional_text("verifier", name, _MODEL) or self._settings.verifier
        return self._verifiers.get(name, lambda: load_verifier(name))

    @property
    def prices(self) -> tuple[float, float] | None:
        """What a million tokens cost, those of prompts and those of replies, where it is known."""
        return self._settings.llm_prices

    @property
    def examples(self) -> Path:
        """The folder of the user's own examples; see :mod:`kgdb.language.text.examples`."""
        return self._settings.home / "examples"

    def models(self, llm: str | None = None, encoder: str | None = None) -> str:
        """What answers when these models are asked for, as one text.

        It names the models, and those settings that change what they answer or what is found, where
        they are not the default.
        """
        settings, default = self._settings, Settings()
        named = {
            "llm": optional_text("llm", llm, _MODEL) or settings.llm,
            "encoder": optional_text("encoder", encoder, _MODEL) or settings.encoder,
        }
        for name in _ANSWERING:
            if (value := getattr(settings, name)) != getattr(default, name):
                named[name] = str(value)
        return ", ".join(f"{name} {value}" for name, value in named.items())


class KnowledgeGraph(Graph):
    """One loaded graph: retrieval, and answers by any method."""

    database: Connection

    def __init__(self, connection: Connection, info: GraphInfo) -> None:
        super().__init__(connection, info)

    def to_py2neo(self, found: Results) -> Any:
        """What was found as bound values of py2neo; see :func:`kgdb.interop.to_py2neo`."""
        check_results(found)
        return to_py2neo(found, self, self.database.py2neo())

    def answer(
        self,
        /,
        question: str,
        *,
        method: str = "auto",
        llm: str | None = None,
        encoder: str | None = None,
        **options: Any,
    ) -> Answer:
        """Answer ``question`` from this graph; see :class:`kgdb.values.Answer`.

        ``llm`` and ``encoder`` are names as the options of these names take them; the rest are
        options of the method. With ``form="text"`` the answer has a ``text`` that cites its facts.
        """
        from kgdb.methods import check_question

        check_question(question)
        made = self.reasoner(method, llm=llm, encoder=encoder, **options)
        return made.answer(question)

    def verify(
        self,
        /,
        claim: str,
        *,
        method: str = "auto",
        llm: str | None = None,
        encoder: str | None = None,
        **options: Any,
    ) -> Verdict:
        """Judge ``claim`` by this graph, with the options of :meth:`answer`.

        See :class:`kgdb.values.Verdict`.
        """
        from kgdb.methods import check_question

        check_question(claim, "claim")
        made = self.reasoner(method, llm=llm, encoder=encoder, **options)
        return made.verify(claim)

    def verify_text(
        self,
        /,
        text: str,
        *,
        method: str = "auto",
        llm: str | None = None,
        encoder: str | None = None,
        **options: Any,
    ) -> TextVerdict:
        """Judge every claim of ``text`` by this graph, with the options of :meth:`verify`.

        A pronoun is judged as the name that it clearly stands for. If one claim fails, its
        ``verdict.error`` says why. See :class:`kgdb.values.TextVerdict`.
        """
        from kgdb.methods.claims_of_text import judge_text, sentences_with_claims

        sentences = sentences_with_claims(text)
        made = self.reasoner(method, llm=llm, encoder=encoder, **options)
        return judge_text(made, text, sentences)

    def conversation(
        self,
        /,
        method: str | Method = "auto",
        *,
        llm: str | None = None,
        encoder: str | None = None,
        watch: Watch | None = None,
        **options: Any,
    ) -> Conversation:
        """A conversation over this graph: each question may go on from the last answer.

        >>> talk = kg.conversation(llm="none")                            # doctest: +SKIP
        >>> talk.answer("Which movies did Tom Hanks act in?")             # doctest: +SKIP
        >>> talk.answer("Which of them were directed by Ron Howard?")     # doctest: +SKIP

        The arguments are those of :meth:`reasoner`.
        """
        from kgdb.methods import Conversation

        return Conversation(self.reasoner(method, llm=llm, encoder=encoder, watch=watch, **options))

    def reasoner(
        self,
        /,
        method: str | Method = "auto",
        *,
        llm: str | None = None,
        encoder: str | None = None,
        watch: Watch | None = None,
        **options: Any,
    ) -> Reasoner:
        """The method (by its name, or one that is made) over this graph, its models loaded.

        ``watch`` is told of each stage that ends: the question and the stage.
        """
        from kgdb.methods import Reasoner, Resources, create

        if isinstance(method, str):
            chosen = create(method, options)
        elif callable(getattr(method, "answer", None)) and callable(
            getattr(method, "verify", None)
        ):
            chosen = method
        else:
            raise UsageError(
                f"method is {short(method)}; expected the name of a method, or one that is made.",
                hint="kgdb answer --methods lists them.",
            )
        database = self.database
        # Of a method without judges there are no such options.
        of_method = getattr(chosen, "options", None)
        expert, verifier = (getattr(of_method, judge, None) for judge in ("expert", "verifier"))
        tools = Resources(
            self,
            database.encoder(encoder),
            database.llm(llm),
            watch,
            database.home,
            database.prices,
            database.examples,
            database.relation_encoder(encoder, self),
            database.expert(expert),
            lambda: database.untuned_llm(llm),
            database.verifier(verifier),
        )
        return Reasoner(chosen, tools)
