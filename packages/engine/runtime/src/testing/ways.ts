import type { PageConfig, ProbeReport } from '@vid/runtime'
import type { OpenPage } from './page.ts'

type Start = (html: string, config?: Partial<PageConfig>) => Promise<OpenPage>

/** What a page shows at a frame, reached in steps and, on a fresh page, at once: the two must be equal. */
export interface Ways<T> {
  readonly stepped: T
  readonly direct: T
  readonly probe: ProbeReport
}

/** Reads an expression at a frame, reached both ways. */
export const bothWays = async <T = unknown>(
  start: Start,
  html: string,
  frame: number,
  expression: string,
): Promise<Ways<T>> => {
  const one = await start(html)
  for (let n = 0; n <= frame; n++) await one.seek(n)
  const stepped = await one.read<T>(expression)
  const two = await start(html)
  await two.seek(frame)
  return { stepped, direct: await two.read<T>(expression), probe: two.probe }
}
