package io.github.kgdb.thought;

import io.github.kgdb.thought.RelationshipPattern.Arrow;

import java.util.Set;

/**
 * Reads the graph of thought out of a script in the part of Cypher that language models write it
 * in:
 *
 * <pre>
 * script       = statement ';'?            (in each fence, where there are several)
 * statement    = clause+ return?
 * clause       = CREATE path (',' path)*  |  MERGE path
 * path         = (name '=')? node (relationship node)*
 * node         = '(' name? (':' name ((':' name)* | ('&amp;' name)*))? properties? ')'
 * relationship = '&lt;'? '-[' name? ':' name properties? ']-' '>'?
 * properties   = '{' (name ':' value (',' name ':' value)*)? '}'
 * value        = literal  |  '[' (literal (',' literal)*)? ']'
 * return       = RETURN ('*'  |  name (AS name)? (',' name (AS name)?)*)
 * </pre>
 *
 * <p>What is not in this language is refused for that reason alone. Nothing in it nests, so that
 * reading is a loop whatever the text, and takes time in proportion to its length.
 */
public final class ThoughtParser {
    private final Tokens tokens;
    private final PatternParser patterns;
    private final ThoughtBuilder thought;
    private final Set<Integer> closings;

    private ThoughtParser(CodeFences.Script script, Limits limits) {
        this.tokens = new Tokens(script.text());
        this.closings = script.closings();
        this.patterns = new PatternParser(tokens, new ValueParser(tokens, limits));
        this.thought = new ThoughtBuilder(limits);
    }

    /**
     * @param text the model's whole reply; {@link CodeFences} finds the script in it
     */
    public static ParsedScript parse(String text, Limits limits) {
        try {
            requireLength(text, limits.maxLength());
            return new ThoughtParser(CodeFences.script(text), limits).script();
        } catch (ScriptException refusal) {
            return refusal.in(text);
        }
    }

    private static void requireLength(String text, int max) {
        // A code point has at most two characters, so a long text need not be counted.
        if (text.length() > 2L * max || text.codePointCount(0, text.length()) > max) {
            throw new ScriptException(
                    ErrorCode.TOO_LARGE, 0, "the script has more than " + max + " characters");
        }
    }

    private Thought script() {
        skipSeparators();
        if (tokens.isEnd()) {
            throw new ScriptException(
                    ErrorCode.EMPTY,
                    tokens.current().start(),
                    "there is no script; write CREATE and what to create");
        }
        while (!tokens.isEnd()) {
            statement();
        }
        return thought.build();
    }

    private void statement() {
        boolean isOver = false;
        while (!isOver && !tokens.isEnd() && !tokens.current().is(';')) {
            isOver = clause();
        }
        thought.endStatement();
        boolean isEndOfFence = skipSeparators();
        Token next = tokens.current();
        boolean isAnother = next.is("CREATE") || next.is("MERGE") || next.is("RETURN");
        if (isAnother && !isEndOfFence) {
            throw new ScriptException(
                    ErrorCode.SEVERAL_STATEMENTS,
                    next.start(),
                    "the script has more than one statement; leave out the ';' between its"
                            + " clauses");
        }
    }

    /** Returns whether one of them ends a fence. */
    private boolean skipSeparators() {
        boolean isEndOfFence = false;
        while (tokens.current().is(';')) {
            isEndOfFence |= closings.contains(tokens.take().start());
        }
        return isEndOfFence;
    }

    /** Returns whether it ends its statement. */
    private boolean clause() {
        if (tokens.accept("CREATE")) {
            do {
                path(false);
            } while (tokens.accept(','));
            return false;
        } else if (tokens.accept("MERGE")) {
            path(true);
            if (tokens.current().is(',')) {
                throw tokens.unexpected(
                        ErrorCode.SYNTAX, "one path in a MERGE", "; write MERGE before each path");
            }
            return false;
        } else if (!thought.isEmpty() && tokens.accept("RETURN")) {
            returned();
            return true;
        }
        throw noClause("CREATE, MERGE or the end of the script");
    }

    private ScriptException noClause(String expected) {
        return Clauses.isOne(tokens.current())
                ? tokens.unexpected(
                        ErrorCode.FORBIDDEN_CLAUSE,
                        expected,
                        "; a thought is written with CREATE and MERGE alone")
                : tokens.unexpected(expected);
    }

    private void path(boolean isMerge) {
        if (tokens.current().isName()) {
            thought.path(pathVariable());
            if (tokens.current().kind() == Token.Kind.WORD) {
                throw function("'(' to begin a node", "");
            }
        }
        NodePattern first = patterns.node();
        boolean isAlone = !patterns.atRelationship();
        int end = thought.node(first, isMerge, isAlone);
        while (patterns.atRelationship()) {
            RelationshipPattern relationship = patterns.relationship();
            if (relationship.arrow() == Arrow.NONE && !isMerge) {
                throw new ScriptException(
                        ErrorCode.FORBIDDEN_PATTERN,
                        relationship.start(),
                        "the relationship has no direction; write its arrow, as in -[:KNOWS]->");
            }
            int next = thought.node(patterns.node(), isMerge, false);
            thought.relationship(relationship, end, next, isMerge);
            end = next;
        }
        patterns.requireEndOfPath();
    }

    private Token pathVariable() {
        Token name = tokens.take();
        if (tokens.accept('=')) {
            return name;
        }
        if (tokens.current().is('(')) {
            throw function("a path after CREATE or MERGE", " after " + name.shown());
        } else if (tokens.current().isName()) {
            throw new ScriptException(
                    ErrorCode.FORBIDDEN_CLAUSE,
                    name.start(),
                    "expected '(' to begin a node, found "
                            + name.shown()
                            + "; CREATE makes nodes and relationships only");
        }
        throw new ScriptException(
                ErrorCode.SYNTAX,
                name.start(),
                "expected '(' to begin a node, found " + name.shown());
    }

    private ScriptException function(String expected, String where) {
        return tokens.unexpected(
                ErrorCode.FORBIDDEN_PATTERN,
                expected,
                where + "; no functions of paths and no selectors");
    }

    /** Its names are not needed, but must be declared. */
    private void returned() {
        if (!tokens.accept('*')) {
            do {
                Token variable = tokens.current();
                if (!variable.isName()) {
                    throw computed("a variable to return");
                }
                tokens.take();
                if (tokens.accept("AS")) {
                    tokens.expectName("a name after AS");
                }
                requireEndOfReturned();
                thought.requireVariable(variable);
            } while (tokens.accept(','));
        }
        if (!tokens.isEnd() && !tokens.current().is(';')) {
            throw noClause("the end of the script");
        }
    }

    private void requireEndOfReturned() {
        Token token = tokens.current();
        String expected = "',' or the end of the script after a variable";
        if (token.kind() == Token.Kind.SYMBOL && !token.is(',') && !token.is(';')) {
            throw computed(expected);
        } else if (token.isName() && !Clauses.isOne(token)) {
            throw tokens.unexpected(expected);
        }
    }

    private ScriptException computed(String expected) {
        return tokens.isEnd()
                ? tokens.unexpected(expected)
                : tokens.unexpected(
                        ErrorCode.FORBIDDEN_EXPRESSION,
                        expected,
                        "; RETURN may name variables, and nothing else");
    }
}
