/** The lines of a text, without its byte order mark and with any kind of line end. */
export const linesOf = (text: string): string[] => text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)

/** A text without empty lines and without space at the ends of lines. */
export const withoutEmptyLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
