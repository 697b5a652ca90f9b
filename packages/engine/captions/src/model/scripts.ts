/** Letters of scripts that are written without spaces between words. */
const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** Punctuation of full width, which has its own space. */
const WIDE_MARK = /[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/u

/** Whether a character belongs to a script that is written without spaces. */
export const isWithoutSpaces = (character: string): boolean =>
  WITHOUT_SPACES.test(character) || WIDE_MARK.test(character)

/** What stands between two words: nothing where both sides belong to a script without spaces. */
export const separatorOf = (before: string, after: string): string => {
  const last = [...before].at(-1)
  const first = [...after][0]
  return last === undefined || first === undefined || (isWithoutSpaces(last) && isWithoutSpaces(first)) ? '' : ' '
}
