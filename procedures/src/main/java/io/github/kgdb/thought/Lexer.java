package io.github.kgdb.thought;

import java.util.Locale;

/**
 * Splits a script into tokens.
 *
 * <p>It accepts less than Neo4j, so that no script means one thing here and another there: no
 * backslash outside a text (Neo4j decodes {@code \}{@code u0027} to a quote before parsing), no
 * invisible character outside a text, and only plain decimal numbers.
 */
final class Lexer {
    private static final String ESCAPED = "\\'\"ntrbf";
    private static final String ESCAPES = "\\'\"\n\t\r\b\f";
    private static final String LOOKALIKES = "，。：；（）［］｛｝【】＜＞－＝｀＊";
    private static final String QUOTES = "“”„‟‘’‚‛«»「」『』＂＇";

    private final String script;
    private int next;

    Lexer(String script) {
        this.script = script;
    }

    Token token() {
        skipSpaceAndComments();
        int start = next;
        if (start == script.length()) {
            return new Token(Token.Kind.END, "", endOfContent());
        }
        int c = script.codePointAt(start);
        if (isNameStart(c)) {
            return new Token(Token.Kind.WORD, word(), start);
        } else if (c == '`') {
            return new Token(Token.Kind.BACKTICKED, backticked(), start);
        } else if (c == '\'' || c == '"') {
            return new Token(Token.Kind.STRING, string((char) c), start);
        } else if (isDigit(c) || c == '.' && isDigit(at(start + 1))) {
            return number();
        } else if (c > ' ' && c < 127 && c != '\\') {
            next++;
            return new Token(Token.Kind.SYMBOL, script.substring(start, next), start);
        }
        throw new ScriptException(ErrorCode.SYNTAX, start, unusable(c));
    }

    private void skipSpaceAndComments() {
        while (next < script.length()) {
            char c = script.charAt(next);
            if (isSpace(c)) {
                next++;
            } else if (c == '/' && at(next + 1) == '/') {
                skipLine();
            } else if (c == '/' && at(next + 1) == '*') {
                skipBlock();
            } else {
                return;
            }
        }
    }

    private void skipLine() {
        int start = next;
        while (next < script.length() && at(next) != '\n' && at(next) != '\r') {
            next++;
        }
        refuseUnicodeEscape(start, next);
    }

    private void skipBlock() {
        int end = script.indexOf("*/", next + 2);
        if (end < 0) {
            throw new ScriptException(
                    ErrorCode.SYNTAX, next, "the comment is not closed: expected '*/'");
        }
        refuseUnicodeEscape(next, end);
        next = end + 2;
    }

    /** Neo4j would decode it, and the comment could end there. */
    private void refuseUnicodeEscape(int start, int end) {
        for (int i = start; i < end; i++) {
            if (at(i) == '\\' && at(i + 1) == 'u') {
                throw new ScriptException(
                        ErrorCode.SYNTAX, i, "a comment may not have a '\\u' in it");
            }
        }
    }

    private String word() {
        int start = next;
        while (next < script.length() && isNamePart(script.codePointAt(next))) {
            next += Character.charCount(script.codePointAt(next));
        }
        return script.substring(start, next);
    }

    private String backticked() {
        int start = next++;
        StringBuilder name = new StringBuilder();
        while (next < script.length()) {
            int c = script.codePointAt(next);
            if (c == '`' && at(next + 1) != '`') {
                next++;
                if (name.isEmpty()) {
                    throw new ScriptException(
                            ErrorCode.SYNTAX, start, "there is no name between the backticks");
                }
                return name.toString();
            }
            if (c == '\\' || !isVisible(c)) {
                throw new ScriptException(
                        ErrorCode.SYNTAX,
                        next,
                        "a name may not have " + character(c) + " in it, not even in backticks");
            }
            name.appendCodePoint(c);
            next += c == '`' ? 2 : Character.charCount(c);
        }
        throw new ScriptException(ErrorCode.SYNTAX, start, "the name is not closed: expected '`'");
    }

    private String string(char quote) {
        int start = next++;
        StringBuilder value = new StringBuilder();
        while (next < script.length()) {
            int c = script.codePointAt(next);
            if (c == quote) {
                next++;
                return value.toString();
            } else if (c == '\\') {
                value.append(escaped());
            } else if (c == 0 || isLoneSurrogate(c)) {
                throw new ScriptException(
                        ErrorCode.SYNTAX, next, "a text may not have " + character(c) + " in it");
            } else {
                value.appendCodePoint(c);
                next += Character.charCount(c);
            }
        }
        throw new ScriptException(
                ErrorCode.SYNTAX, start, "the text is not closed: expected " + quote);
    }

    private String escaped() {
        int escape = ESCAPED.indexOf(at(next + 1));
        if (escape >= 0) {
            next += 2;
            return ESCAPES.substring(escape, escape + 1);
        }
        if (at(next + 1) != 'u') {
            throw new ScriptException(
                    ErrorCode.SYNTAX,
                    next,
                    "'\\' stands before one of \\ ' \" n t r b f u only; write '\\\\' for a"
                            + " backslash");
        }
        int start = next;
        char c = hexadecimal();
        if (Character.isHighSurrogate(c) && at(next) == '\\' && at(next + 1) == 'u') {
            char low = hexadecimal();
            if (Character.isLowSurrogate(low)) {
                return String.valueOf(new char[] {c, low});
            }
        }
        if (Character.isSurrogate(c) || Character.isISOControl(c) || "'\"\\".indexOf(c) >= 0) {
            throw new ScriptException(
                    ErrorCode.SYNTAX,
                    start,
                    "quotes, backslashes, control characters and halves of pairs may not be"
                            + " written by '\\u'");
        }
        return String.valueOf(c);
    }

    private char hexadecimal() {
        int value = 0;
        for (int i = next + 2; i < next + 6; i++) {
            int digit = at(i) < 128 ? Character.digit(at(i), 16) : -1;
            if (digit < 0) {
                throw new ScriptException(
                        ErrorCode.SYNTAX, next, "expected four hexadecimal digits after '\\u'");
            }
            value = value * 16 + digit;
        }
        next += 6;
        return (char) value;
    }

    private Token number() {
        int start = next;
        skipDigits();
        boolean isFloat = false;
        if (at(next) == '.' && isDigit(at(next + 1))) {
            isFloat = true;
            next++;
            skipDigits();
        }
        if (at(next) == 'e' || at(next) == 'E') {
            int digits = at(next + 1) == '-' || at(next + 1) == '+' ? next + 2 : next + 1;
            if (isDigit(at(digits))) {
                isFloat = true;
                next = digits;
                skipDigits();
            }
        }
        String text = script.substring(start, next);
        if (next < script.length() && isNamePart(script.codePointAt(next))) {
            throw new ScriptException(
                    ErrorCode.SYNTAX,
                    start,
                    "'"
                            + Token.shorten(text + word())
                            + "' is neither a number nor a name; a name that begins with a digit"
                            + " goes in backticks");
        }
        if (!isFloat && text.length() > 1 && text.charAt(0) == '0') {
            throw new ScriptException(
                    ErrorCode.SYNTAX,
                    start,
                    "'"
                            + Token.shorten(text)
                            + "' begins with 0; leave that out, or put it in quotes");
        }
        return new Token(isFloat ? Token.Kind.FLOAT : Token.Kind.INTEGER, text, start);
    }

    private void skipDigits() {
        while (isDigit(at(next))) {
            next++;
        }
    }

    /** NUL past the end: no token contains it. */
    private char at(int index) {
        return index < script.length() ? script.charAt(index) : 0;
    }

    private int endOfContent() {
        int end = script.length();
        while (end > 0 && isSpace(script.charAt(end - 1))) {
            end--;
        }
        return end;
    }

    private static String unusable(int c) {
        if (c == '\\') {
            return "a backslash may stand in a text only";
        } else if (QUOTES.indexOf(c) >= 0) {
            return "found " + character(c) + ": a text is put in ' or \"";
        } else if (LOOKALIKES.indexOf(c) >= 0) {
            return "found the full-width "
                    + character(c)
                    + ": outside texts, write the plain ASCII character";
        }
        return "found "
                + character(c)
                + ", which may stand in a text only, or, if it can be seen, in a name in backticks";
    }

    private static String character(int c) {
        String number = String.format(Locale.ROOT, "U+%04X", c);
        return isVisible(c) ? "'" + Character.toString(c) + "' (" + number + ")" : number;
    }

    static boolean isSpace(char c) {
        return c == ' '
                || c >= '\t' && c <= '\r'
                || Character.getType(c) == Character.SPACE_SEPARATOR;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    /** By character type, as in Neo4j. Unicode's identifiers have a few more. */
    private static boolean isNameStart(int c) {
        return c == '_'
                || Character.isBmpCodePoint(c)
                        && (Character.isLetter(c)
                                || Character.getType(c) == Character.LETTER_NUMBER);
    }

    private static boolean isNamePart(int c) {
        return isNameStart(c)
                || Character.isBmpCodePoint(c)
                        && switch (Character.getType(c)) {
                            case Character.DECIMAL_DIGIT_NUMBER,
                                            Character.NON_SPACING_MARK,
                                            Character.COMBINING_SPACING_MARK,
                                            Character.CONNECTOR_PUNCTUATION ->
                                    true;
                            default -> false;
                        };
    }

    private static boolean isVisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.UNASSIGNED,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR ->
                    false;
            default -> true;
        };
    }

    private static boolean isLoneSurrogate(int c) {
        return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }
}
