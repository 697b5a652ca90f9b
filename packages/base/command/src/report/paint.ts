const STYLES = { bad: '31;1', doubtful: '33;1', good: '32', faint: '2' } as const

/** Colours a text by what it says. */
export type Paint = (style: keyof typeof STYLES, text: string) => string

/** The colours of a stream: those of a terminal, without NO_COLOR; none elsewhere. */
export const createPaint = (stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint => {
  const isColoured = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  return (style, text) => (isColoured ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text)
}
