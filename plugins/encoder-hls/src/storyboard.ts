import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeVtt } from '@vid/captions'
import { writeTiles } from '@vid/ffmpeg'
import { type RenderPlan, secondsOf } from '@vid/kernel'
import { concatenate } from './concatenate.ts'
import { renditionFiles, STORYBOARD } from './names.ts'
import type { Piece } from './pieces.ts'
import { type Cut, createWriter, type TrackSource } from './writer.ts'

/** Pixels of the longer side of a tile. */
const SIDE = 160

/** Most tiles beside and below each other on a sheet. */
const COLUMNS = 10
const ROWS = 10

/** The first picture of each media segment, side by side, for what players show while a person scrubs. */
export interface Storyboard {
  /** Keeps the first picture of a media segment; its pictures are those of a source from `cut` on. */
  add(source: TrackSource, cut: Cut): Promise<void>
  /** Writes the sheets, and the WebVTT that says which tile shows which time. */
  write(folder: string, pieces: readonly Piece[]): Promise<void>
  close(): Promise<void>
}

const even = (pixels: number) => Math.max(2, Math.round(pixels / 2) * 2)

/** Times of the pieces with the places of their tiles, as players know them from other sites. */
const timesOf = (
  pieces: readonly Piece[],
  { fps }: Pick<RenderPlan, 'fps'>,
  { width, height }: { width: number; height: number },
) =>
  writeVtt({
    cues: pieces.map(({ start, frames }, index) => {
      const place = index % (COLUMNS * ROWS)
      const left = (place % COLUMNS) * width
      const top = Math.floor(place / COLUMNS) * height
      const sheet = STORYBOARD.sheet(Math.floor(index / (COLUMNS * ROWS)))
      return {
        start: secondsOf(start, fps),
        end: secondsOf(start + frames, fps),
        text: `${sheet}#xywh=${left},${top},${width},${height}`,
      }
    }),
  })

/** Opens a storyboard, whose pictures are kept in a folder of their own until they are written. */
export const openStoryboard = async (workDir: string, plan: RenderPlan, signal: AbortSignal): Promise<Storyboard> => {
  const scratch = await mkdtemp(join(workDir, 'storyboard-'))
  const name = 'keys'
  const writer = createWriter(scratch, name, signal)
  const scale = Math.min(1, SIDE / Math.max(plan.width, plan.height))
  const size = { width: even(plan.width * scale), height: even(plan.height * scale) }
  return {
    add: (source, cut) => writer.add(source, { ...cut, end: cut.start + 1 }),
    async write(folder, pieces) {
      writer.commit()
      const parts = [renditionFiles(name).init, ...writer.entries().map(({ uri }) => uri)]
      const file = join(scratch, `${name}.mp4`)
      await concatenate(
        parts.map((part) => join(scratch, part)),
        file,
        signal,
      )
      const columns = Math.min(COLUMNS, pieces.length)
      const rows = Math.min(ROWS, Math.ceil(pieces.length / COLUMNS))
      await writeTiles({ file, ...size, columns, rows, path: join(folder, STORYBOARD.sheet('%d')), signal })
      await writeFile(join(folder, STORYBOARD.times), timesOf(pieces, plan, size), { signal })
    },
    close: () => rm(scratch, { recursive: true, force: true }),
  }
}
