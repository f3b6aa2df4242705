# Everything works in a fresh clone: each target sets up what it needs.

export PYTHONUNBUFFERED = 1
# Tests start hundreds of processes, and without bytecode each compiles all that it imports.
unexport PYTHONDONTWRITEBYTECODE
BIN = .venv/bin
SOURCES = pyproject.toml hatch_build.py kgdb/_version.py
JAVA = $(shell find procedures/src procedures/pom.xml -type f)
PLUGIN = procedures/target/kgdb-procedures.jar
KGDB_DATA ?= ../shared/data
# Tests of one file stay in one process: they share servers and models.
PARALLEL ?= -n auto --dist loadfile
# Each process of integration tests has a Neo4j of its own, which takes about a gigabyte.
SERVERS ?= -n 2 --dist loadfile
# The share of the random trials that tests of the procedures make, in percent.
TRIALS ?= 15
# What is measured, and where a measurement that was stopped goes on from.
METHODS ?= refkg,rok,gotr,kggpt,mindmap,tog,neighbors,bm25,embedding,llm,cot
VERIFYING ?= refkg,kggpt,llm,cot
ROWS ?= dist/answers
# Corpora and checkpoints of the models that ship.
TRAINED ?= dist/train
export KGDB_DATA
# MkDocs Material announces its successor at each build.
export NO_MKDOCS_2_WARNING = 1

.PHONY: help demo check fix test test-fast release lint test-java test-unit test-integration test-endurance test-containers test-matrix test-vllm images plugin wheel bench bench-quick bench-peers bench-kernels bench-load bench-startup bench-answers train fuzz fuzz-expressions fuzz-files audit docs site lock clean

help:
	@echo "make demo    load the demo graph into a local Neo4j and answer questions"
	@echo "make check   the fast loop: lint, and the unit tests that are not slow"
	@echo "make fix     format, and repair what can be repaired by itself"
	@echo "make test    lint and all tests, against a real Neo4j"
	@echo "make test-endurance   the tests that kill servers and trainings or fill disks for minutes, which make test leaves out"
	@echo "make images      build the images of the server and of kgdb (docs/how-to/containers.md)"
	@echo "make test-containers  integration tests on the server's image; IMAGE=newest: the newest Neo4j"
	@echo "make test-matrix      unit tests on each Python here, integration tests on each supported Neo4j"
	@echo "make test-vllm      hold kgdb against vLLM as it is built for processors (2 GB of packages)"
	@echo "make lint    formatting, types, layers and the documentation, without a database"
	@echo "make wheel   build the wheel and the source distribution into dist/"
	@echo "make bench   measure the procedures beside plain Cypher, GDS and a client's loop"
	@echo "make bench-quick    the same with a tenth of the cases"
	@echo "make bench-peers    measure the procedures beside APOC, GDS and plain Cypher on three graphs"
	@echo "make bench-kernels  the kernels by themselves, with what they allocate (JMH)"
	@echo "make bench-load     measure loading beside the plain ways: small graphs, Bolt, 10 and 50 million triples"
	@echo "make bench-startup  measure what a one-shot command waits for, beside sentence-transformers"
	@echo "make bench-answers  measure all methods on MetaQA, WebQSP and FactKG (KGDB_DATA names the data folder)"
	@echo "make train   tune the relation encoder that ships, from MetaQA, SimpleQuestions and graphs (KGDB_DATA)"
	@echo "make fuzz    throw texts at the parser of thoughts for ten minutes (SECONDS=600)"
	@echo "make fuzz-expressions  run random queries under guard for ten processor minutes (SECONDS=600)"
	@echo "make fuzz-files  read mutated files of every format under limits for ten minutes (SECONDS=600)"
	@echo "make audit   list the licences of all packages and jars, and what is known to be vulnerable"
	@echo "make docs    write what pages take from a run: results of forms, the procedures, numbers in README.md"
	@echo "make site    build the documentation as a site into build/site"
	@echo "make release VERSION=0.2.0  check, build, commit and tag a release (CONTRIBUTING.md)"
	@echo "make lock    resolve the server's jars anew (for maintainers)"
	@echo "make clean   remove what was built; loaded graphs and downloads stay"

demo: .venv/.demo $(PLUGIN)
	$(BIN)/kgdb load demo
	$(BIN)/kgdb answer --graph demo \
	    "Who directed the films that Ada Weir acted in?" \
	    "Who wrote The Tuesday Engine?" \
	    "Which other films did the director of 第七个渡口 direct?" \
	    "In which languages are the films written by Maj-Britt Sjöfors?" \
	    "Who acted in films by the director of Don't Wake the Miller?" \
	    "How many films did Ada Weir act in?" \
	    "Which film is the oldest?" \
	    "When was The Tuesday Engine released?" \
	    "Was The Tuesday Engine directed by Tobias Fenwarren?" \
	    "Which films star Ada Weir but were not directed by Tobias Fenwarren?"
	# A word that nothing in the graph explains: an honest "I don't know", which exits with code 3.
	$(BIN)/kgdb answer --graph demo "How much did The Tuesday Engine earn?" || test $$? -eq 3

check: lint test-fast

fix: .venv/.test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

test: lint test-java test-unit test-integration

lint: .venv/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/mkdocs build --quiet

test-java:
	sh scripts/toolchain.sh
	cd procedures && mvn -B -q verify -Dkgdb.trials=$(TRIALS)

test-unit: .venv/.test
	$(BIN)/pytest -q -m "unit and not endurance" $(PARALLEL) tests/unit

test-fast: .venv/.test
	$(BIN)/pytest -q -m "unit and not slow" $(PARALLEL) tests/unit

test-integration: .venv/.test $(PLUGIN)
	$(BIN)/pytest -q -m "integration and not endurance" $(SERVERS) tests/integration

test-endurance: .venv/.test $(PLUGIN)
	$(BIN)/pytest -q -m endurance $(SERVERS) tests

images: wheel
	sh scripts/images.sh neo4j kgdb

# On the server's image: make test-containers IMAGE=newest for the newest Neo4j, CONTAINER_TESTS=tests for all.
IMAGE ?= neo4j
CONTAINER_TESTS ?= tests/integration/test_graph.py

test-containers: .venv/.test wheel
	sh scripts/test_containers.sh $(IMAGE) $(CONTAINER_TESTS)

test-matrix: .venv/.test wheel
	sh scripts/test_matrix.sh

test-vllm: $(PLUGIN)
	sh scripts/vllm.sh
	.vllm-venv/bin/pytest -q -m integration tests/integration/test_vllm.py

plugin: $(PLUGIN)

wheel: .venv/.test
	$(BIN)/python -m build --outdir dist

$(PLUGIN): $(JAVA)
	sh scripts/toolchain.sh
	cd procedures && mvn -B -q -Dmaven.test.skip=true package
	touch $@

bench: .venv/.test $(PLUGIN)
	$(BIN)/python -m benchmarks

bench-quick: .venv/.test $(PLUGIN)
	$(BIN)/python -m benchmarks --quick

bench-peers: .venv/.test $(PLUGIN)
	$(BIN)/python -m benchmarks peers

bench-kernels:
	sh scripts/toolchain.sh
	cd procedures && mvn -B -q -Pbench test-compile exec:exec

bench-load: .venv/.test $(PLUGIN)
	$(BIN)/python -m benchmarks.loading

bench-startup: .venv/.test
	$(BIN)/python -m benchmarks.startup

bench-answers: .venv/.test $(PLUGIN)
	$(BIN)/kgdb load metaqa $(KGDB_DATA)/metaqa/kb.txt.gz
	$(BIN)/kgdb load webqsp-cwq $(KGDB_DATA)/freebase/webqsp_cwq_triples.tsv.gz --set paths=known
	$(BIN)/kgdb load factkg $(KGDB_DATA)/dbpedia/factkg_triples.tsv.gz
	for llm in none smollm2; do \
	    $(BIN)/kgdb eval metaqa --gold-entities --limit 200 --no-cache --llm $$llm --method $(METHODS) --rows $(ROWS)/metaqa-$$llm.jsonl && \
	    $(BIN)/kgdb eval webqsp --gold-entities --limit 100 --no-cache --covered --llm $$llm --method $(METHODS) --rows $(ROWS)/webqsp-$$llm.jsonl && \
	    $(BIN)/kgdb eval factkg --limit 200 --no-cache --covered --llm $$llm --method $(VERIFYING) --rows $(ROWS)/factkg-$$llm.jsonl \
	    || exit 1; \
	done

# A file that is there is not made again, and a stopped training goes on from its last checkpoint.
train: $(addprefix $(TRAINED)/,metaqa.jsonl composed.jsonl fb15k-237.jsonl demo.jsonl)
	$(BIN)/kgdb lab train relations $^ --interpolation 0.5 --output $(TRAINED)/relations
	mkdir -p adapters/relations
	cp $(addprefix $(TRAINED)/relations/,adapter.safetensors config.json README.md loss.png) adapters/relations/

$(TRAINED)/metaqa.jsonl: | .venv/.test $(PLUGIN)
	mkdir -p $(TRAINED)
	$(BIN)/kgdb load metaqa $(KGDB_DATA)/metaqa/kb.txt.gz
	$(BIN)/kgdb lab train corpus metaqa metaqa --limit 4000 --encoder minilm:base --licence "CC BY 3.0" --output $@

$(TRAINED)/composed.jsonl: | .venv/.test
	mkdir -p $(TRAINED)
	$(BIN)/kgdb lab train compose --output $@

$(TRAINED)/fb15k-237.jsonl: | .venv/.test $(PLUGIN)
	mkdir -p $(TRAINED)
	$(BIN)/kgdb load fb15k-237 $(KGDB_DATA)/fb15k-237
	$(BIN)/kgdb lab train corpus fb15k-237 --licence "CC BY 2.5" --output $@

$(TRAINED)/demo.jsonl: | .venv/.test $(PLUGIN)
	mkdir -p $(TRAINED)
	$(BIN)/kgdb load demo
	$(BIN)/kgdb lab train corpus demo --licence Apache-2.0 --output $@

fuzz:
	sh scripts/toolchain.sh
	sh scripts/fuzz.sh $(SECONDS)

fuzz-expressions:
	sh scripts/toolchain.sh
	sh scripts/fuzz_expressions.sh $(SECONDS)

fuzz-files: .venv/.test
	$(BIN)/python scripts/fuzz_files.py $(or $(SECONDS),600)

audit: .venv/.test
	sh scripts/audit.sh

docs: .venv/.test $(PLUGIN)
	$(BIN)/kgdb load demo
	$(BIN)/python scripts/form_reference.py --run
	$(BIN)/python scripts/procedure_reference.py --run
	$(BIN)/python scripts/measurements.py

site: .venv/.test
	$(BIN)/mkdocs build

release: .venv/.test
	$(BIN)/python scripts/release.py $(VERSION)

lock: .venv/.test
	$(BIN)/python -m kgdb.runtime.jars.lock

.venv/.demo: $(SOURCES)
	sh scripts/toolchain.sh
	sh scripts/python.sh server,models,html
	touch $@

.venv/.test: $(SOURCES)
	sh scripts/toolchain.sh
	sh scripts/python.sh server,models,lab,openai,fast,gds,serve,html,networkx,pandas,polars,py2neo,langchain,llama-index,neo4j-graphrag,haystack,docs,dev
	touch $@ .venv/.demo

clean:
	rm -rf .venv .vllm-venv .audit-venv dist build procedures/target .mypy_cache .ruff_cache .pytest_cache .hypothesis
