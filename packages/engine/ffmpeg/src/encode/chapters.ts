import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RenderPlan } from '@vid/protocol'
import { inTempFolder } from '@vid/system'

/** Chapters of a video. */
export type Chapters = NonNullable<RenderPlan['chapters']>

const TICKS = 1_000_000

/** Chapters in the form that ffmpeg reads them from; as arguments, long or many titles would have no room. */
const metadataOf = (chapters: Chapters): string => {
  const ticks = (seconds: number) => Math.round(seconds * TICKS)
  const parts = chapters.map(({ start, end, title }) =>
    [
      '[CHAPTER]',
      `TIMEBASE=1/${TICKS}`,
      `START=${ticks(start)}`,
      `END=${ticks(end)}`,
      `title=${title.replaceAll(/[=;#\\\n]/g, '\\$&')}`,
    ].join('\n'),
  )
  return `;FFMETADATA1\n${parts.join('\n')}\n`
}

/** Options of one call of ffmpeg for chapters. */
export interface ChapterArgs {
  readonly inputs: readonly string[]
  /** Options of the output; `first` is the number of the first of `inputs`. */
  outputs(first: number): readonly string[]
}

/** Without chapters, those of an input are not copied either. */
const NO_ARGS: ChapterArgs = { inputs: [], outputs: () => ['-map_chapters', '-1'] }

/** Calls `mux` with the options for chapters; their file exists as long as that takes. */
export const withChapters = async (
  chapters: Chapters | undefined,
  mux: (args: ChapterArgs) => Promise<void>,
): Promise<void> => {
  if (!chapters) return mux(NO_ARGS)
  const folder = await inTempFolder((parent) => mkdtemp(join(parent, 'vid-chapters-')))
  try {
    const file = join(folder, 'chapters.txt')
    await writeFile(file, metadataOf(chapters))
    await mux({
      inputs: ['-f', 'ffmetadata', '-i', `file:${file}`],
      outputs: (first) => ['-map_chapters', `${first}`],
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
