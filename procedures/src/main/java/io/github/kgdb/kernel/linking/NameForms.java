package io.github.kgdb.kernel.linking;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A name in normal forms of decreasing strictness, in which two names are compared.
 *
 * <p>Python builds the same forms: change both together.
 *
 * @param exact as written, without surrounding white space
 * @param cased case and width folded (full-width letters, ligatures)
 * @param folded diacritics removed, and one apostrophe for all
 * @param words letters and digits only, words separated by one space; {@code folded} if there are
 *     none
 * @param tokens the words; a character of a script without spaces is a word
 */
record NameForms(String exact, String cased, String folded, String words, List<String> tokens) {
    /** The maximum length in code points; the rest of a longer name is not compared. */
    static final int MAX_LENGTH = 1000;

    /** Combining marks that readers leave out: Latin, Hebrew, Arabic, symbols. */
    private static final int[][] MARKS = {
        {0x0300, 0x036F},
        {0x0591, 0x05BD},
        {0x05BF, 0x05C7},
        {0x0610, 0x061A},
        {0x0640, 0x0640},
        {0x064B, 0x065F},
        {0x0670, 0x0670},
        {0x06D6, 0x06ED},
        {0x1AB0, 0x1AFF},
        {0x1DC0, 0x1DFF},
        {0x20D0, 0x20FF},
        {0xFE20, 0xFE2F},
    };

    static NameForms of(String name) {
        String stripped = stripped(name);
        String exact =
                isAscii(stripped) ? stripped : Normalizer.normalize(stripped, Normalizer.Form.NFC);
        String cased = cased(first(exact, MAX_LENGTH));
        String folded = folded(cased);
        String words = words(folded);
        String loosest = words.isEmpty() ? folded : words;
        return new NameForms(exact, cased, folded, loosest, tokens(loosest));
    }

    /** The name with its diacritics but without apostrophes. */
    String unfolded() {
        return cased.codePoints()
                .filter(letter -> !isApostrophe(letter))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** The text without surrounding white space. */
    static String stripped(String text) {
        int first = 0;
        int last = text.length();
        while (first < last && isSpace(text.charAt(first))) {
            first++;
        }
        while (last > first && isSpace(text.charAt(last - 1))) {
            last--;
        }
        return text.substring(first, last);
    }

    static String first(String text, int codePoints) {
        return text.length() <= codePoints || text.codePointCount(0, text.length()) <= codePoints
                ? text
                : text.substring(0, text.offsetByCodePoints(0, codePoints));
    }

    /**
     * Whether the letter belongs to a script without spaces between words: Chinese characters and
     * kana.
     */
    static boolean isIdeographic(int letter) {
        return letter >= 0x3040 && letter <= 0x30FF
                || letter >= 0x3400 && letter <= 0x4DBF
                || letter >= 0x4E00 && letter <= 0x9FFF
                || letter >= 0x20000 && letter <= 0x3FFFF;
    }

    static boolean isApostrophe(int letter) {
        return switch (letter) {
            case '\'',
                            '`',
                            0x00B4,
                            0x02B9,
                            0x02BB,
                            0x02BC,
                            0x02BE,
                            0x02BF,
                            0x2018,
                            0x2019,
                            0x201B,
                            0x2032,
                            0xFF07 ->
                    true;
            default -> false;
        };
    }

    private static String cased(String exact) {
        if (isAscii(exact)) {
            return spaced(exact.toLowerCase(Locale.ROOT));
        }
        // Upper case first: it maps ß to SS, and all forms of a Greek sigma to one.
        String compatible = Normalizer.normalize(withoutAccentSigns(exact), Normalizer.Form.NFKC);
        String lower = compatible.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
        return spaced(lower.replace('ς', 'σ'));
    }

    /**
     * Replaces acute accents by apostrophes: their compatibility form would be a space and a mark.
     */
    private static String withoutAccentSigns(String text) {
        return text.indexOf(0x00B4) < 0 ? text : text.replace('\u00B4', '\'');
    }

    private static String folded(String cased) {
        if (isAscii(cased)) {
            return cased.replace('`', '\'');
        }
        StringBuilder folded = new StringBuilder(cased.length());
        Normalizer.normalize(cased, Normalizer.Form.NFD)
                .codePoints()
                .filter(letter -> !isMark(letter))
                .forEach(letter -> appendFolded(folded, letter));
        return spaced(Normalizer.normalize(folded, Normalizer.Form.NFC));
    }

    /** A shortcut: most names are ASCII and need neither folding nor composing. */
    static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /**
     * Replaces letters that Unicode does not decompose but that people write without their mark.
     */
    private static void appendFolded(StringBuilder folded, int letter) {
        switch (letter) {
            case 'ł' -> folded.append('l');
            case 'ø' -> folded.append('o');
            case 'đ', 'ð' -> folded.append('d');
            case 'ħ' -> folded.append('h');
            case 'ŧ' -> folded.append('t');
            case 'æ' -> folded.append("ae");
            case 'œ' -> folded.append("oe");
            case 'þ' -> folded.append("th");
            default -> folded.appendCodePoint(isApostrophe(letter) ? '\'' : letter);
        }
    }

    private static String words(String folded) {
        StringBuilder words = new StringBuilder(folded.length());
        for (int i = 0; i < folded.length(); ) {
            int letter = folded.codePointAt(i);
            if (letter != '\'') {
                words.appendCodePoint(isOfWord(letter) ? letter : ' ');
            }
            i += Character.charCount(letter);
        }
        return spaced(words.toString());
    }

    private static List<String> tokens(String words) {
        List<String> tokens = new ArrayList<>();
        int begin = 0;
        for (int at = 0; at < words.length(); ) {
            int letter = words.codePointAt(at);
            int next = at + Character.charCount(letter);
            if (letter == ' ' || isIdeographic(letter)) {
                addTo(tokens, words, begin, at);
                begin = next;
                if (letter != ' ') {
                    tokens.add(words.substring(at, next));
                }
            }
            at = next;
        }
        addTo(tokens, words, begin, words.length());
        return Collections.unmodifiableList(tokens);
    }

    private static void addTo(List<String> tokens, String words, int begin, int end) {
        if (begin < end) {
            tokens.add(words.substring(begin, end));
        }
    }

    private static boolean isOfWord(int letter) {
        return switch (Character.getType(letter)) {
            case Character.UPPERCASE_LETTER,
                            Character.LOWERCASE_LETTER,
                            Character.TITLECASE_LETTER,
                            Character.MODIFIER_LETTER,
                            Character.OTHER_LETTER,
                            Character.NON_SPACING_MARK,
                            Character.COMBINING_SPACING_MARK,
                            Character.ENCLOSING_MARK,
                            Character.DECIMAL_DIGIT_NUMBER,
                            Character.LETTER_NUMBER,
                            Character.OTHER_NUMBER ->
                    true;
            default -> false;
        };
    }

    private static boolean isMark(int letter) {
        for (int[] range : MARKS) {
            if (letter >= range[0] && letter <= range[1]) {
                return true;
            }
        }
        return false;
    }

    /** Collapses white space to one space and trims it. */
    private static String spaced(String text) {
        StringBuilder spaced = new StringBuilder(text.length());
        // Every space is a single char, so surrogates need no special case.
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (!isSpace(letter)) {
                spaced.append(letter);
            } else if (!spaced.isEmpty() && spaced.charAt(spaced.length() - 1) != ' ') {
                spaced.append(' ');
            }
        }
        int end = spaced.length();
        return end > 0 && spaced.charAt(end - 1) == ' '
                ? spaced.substring(0, end - 1)
                : spaced.toString();
    }

    private static boolean isSpace(int letter) {
        return Character.isSpaceChar(letter) || letter >= 0x09 && letter <= 0x0D;
    }
}
