/** Characters of Windows-1252 by their bytes: ä is one byte there, and two bytes in UTF-8. */
const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 128 }, (_, index) => 128 + index).map((byte) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    byte,
  ]),
)
const RUN = /[\u0080-\uffff]+/g

/** What may follow a word in capitals that ends with Ã or Â. */
const PUNCTUATION = /^[ÂÃ][\u00a0«»‘’‚“”„…•–—‹›†‡]$/

/** How many bytes a character of UTF-8 has that begins with a byte; 0 where none does. */
const lengthOfCharacter = (byte: number): number =>
  byte >= 0xc2 && byte < 0xe0 ? 2 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xf0 && byte < 0xf5 ? 4 : 0

const decoder = new TextDecoder('utf-8', { fatal: true })
const decode = (bytes: readonly number[]): string | undefined => {
  try {
    return decoder.decode(Uint8Array.from(bytes))
  } catch {
    return undefined
  }
}

/** The first characters of a text that are the bytes of another one, read as Windows-1252: `Ã©` of é. */
export const damagedPart = (text: string): { readonly shown: string; readonly meant: string } | undefined => {
  for (const { 0: run, index: offset } of text.matchAll(RUN))
    for (let index = 0; index < run.length; index++) {
      const length = lengthOfCharacter(BYTES.get(run[index] ?? '') ?? 0)
      const shown = run.slice(index, index + length)
      const bytes = [...shown].map((character) => BYTES.get(character))
      if (length === 0 || shown.length < length || !bytes.every((byte) => byte !== undefined)) continue
      const meant = decode(bytes)
      const isEndOfWord = PUNCTUATION.test(shown) && /\p{Lu}$/u.test(text.slice(0, offset + index))
      if (meant !== undefined && !isEndOfWord) return { shown, meant }
    }
  return undefined
}
