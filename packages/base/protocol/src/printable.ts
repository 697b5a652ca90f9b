/** A text for a terminal: without control characters, which a page or a file may have put into it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
export const printable = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

/** The same for a text of several lines, which stay. */
export const printableLines = (text: string): string => text.split(/\r?\n/).map(printable).join('\n')
