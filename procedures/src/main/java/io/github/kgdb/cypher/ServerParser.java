package io.github.kgdb.cypher;

import io.github.kgdb.TextPosition;

import org.neo4j.cypher.internal.parser.Cypher5AstParserFactory$;
import org.neo4j.cypher.internal.util.Neo4jCypherExceptionFactory;
import org.neo4j.exceptions.SyntaxException;

import scala.Option;

/** The server's own parser, so that what is checked is what the server runs. */
final class ServerParser {
    private ServerParser() {}

    static AstNode parse(String text) {
        try {
            return new AstNode(
                    Cypher5AstParserFactory$.MODULE$
                            .apply(
                                    text,
                                    new Neo4jCypherExceptionFactory(text, Option.empty()),
                                    Option.empty())
                            .statements(),
                    text);
        } catch (SyntaxException error) {
            throw ServerErrors.refusal(error.getMessage(), text, 0);
        } catch (StackOverflowError deep) {
            throw ServerErrors.tooDeep();
        } catch (RuntimeException broken) {
            // The parser itself fails on some texts, such as a broken escape, or on a stack
            // overflow.
            throw new Refusal(
                    ReadStatus.SYNTAX,
                    "the server cannot read this; look for a broken \\u escape or number, and for"
                            + " expressions nested deep",
                    TextPosition.START);
        }
    }
}
