/** First and last byte, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Reads a Range header: undefined means the whole file (none, several or malformed), 'unsatisfiable' means 416. */
export const parseByteRange = (header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | undefined => {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  const [, first = '', last = ''] = match ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  return start > end ? 'unsatisfiable' : { start, end }
}
