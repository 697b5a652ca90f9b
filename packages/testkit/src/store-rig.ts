import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  draftPlan,
  type EncodedFile,
  type InputFile,
  type PluginOf,
  type RenderPlan,
  type SegmentMaker,
} from '@vid/kernel'
import { distinctPictures, framesOf, type Picture } from './pictures.ts'
import { HEIGHT, scratchFolder, WIDTH } from './rig.ts'
import { bytesAt, filesUnder, stopsInTime } from './suite.ts'

/** Frames of a segment. */
export const FRAMES = 8

const SEGMENTS = 3

const use = (name: string) => ({ name, options: {}, settings: {}, build: '1' })

const digestOf = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')

/** A segment that a store is asked for; what is left out is the same each time. */
export interface StoreWork {
  readonly index?: number
  readonly plan?: Partial<RenderPlan>
  /** All frames of the composition. */
  readonly pictures?: readonly Picture[]
  /** Files of the project, by name, that its page is drawn from. */
  readonly files?: Readonly<Record<string, string>>
  /** Puts down what an encoder makes of the text of its frames. */
  readonly write?: (path: string, text: string) => Promise<EncodedFile>
  readonly signal?: AbortSignal
  /** Is called for each frame before it is given. */
  readonly onFrame?: (frame: number) => void
}

/** What came of a segment: all bytes of its files, and why it was reused. */
export interface StoredSegment {
  readonly text: string
  readonly reused: string | undefined
  /** How often the encoder ran. */
  readonly encodes: number
  /** Whether its first file stands where an encoder's would. */
  readonly isInPlace: boolean
}

const writeOne = async (path: string, text: string): Promise<EncodedFile> => {
  await writeFile(`${path}.txt`, text)
  return { file: `${path}.txt` }
}

/** What an encoder makes of frames: a line for each, with its number and its shade. */
export const textOf = (pictures: readonly Picture[], index = 0): string =>
  pictures
    .slice(index * FRAMES, (index + 1) * FRAMES)
    .map(({ shade }, at) => `${index * FRAMES + at}: ${shade}`)
    .join('\n')

/** The pictures that a segment is made of unless others are given. */
export const usualPictures = distinctPictures(SEGMENTS * FRAMES)

/** A project, and segments of it as a store hands them out; each is asked for by a render of its own. */
export const openProject = async (store: PluginOf<'store'>) => {
  const folder = await scratchFolder()
  const projectDir = join(folder, 'project')
  await mkdir(projectDir)
  const page = `<div data-composition-id="a" data-width="${WIDTH}" data-height="${HEIGHT}" data-duration="1"></div>`
  await writeFile(join(projectDir, 'index.html'), page)
  const digest = digestOf(page)
  let renders = 0

  const segment = async (work: StoreWork = {}): Promise<StoredSegment> => {
    const { index = 0, pictures = usualPictures, files = {}, write = writeOne } = work
    const { signal = new AbortController().signal, onFrame } = work
    for (const [name, text] of Object.entries(files)) await writeFile(join(projectDir, name), text)
    const known = { fps: 24, variables: {}, format: 'txt', alpha: false, videoFrameFormat: 'auto' } as const
    const plan: RenderPlan = {
      ...draftPlan('index.html', { ...known, capture: use('camera'), encoder: use('list') }),
      ...{ width: WIDTH, height: HEIGHT, frames: SEGMENTS * FRAMES, duration: 1 },
      composition: { entry: 'index.html', id: 'a', digest, stateful: false },
      segments: Array.from({ length: SEGMENTS }, (_, at) => ({
        index: at,
        start: at * FRAMES,
        frames: FRAMES,
      })),
      ...work.plan,
    }
    renders += 1
    const workDir = join(folder, `work-${renders}`)
    await mkdir(workDir)
    const path = join(workDir, `segment-${index}`)
    const range = { index, start: index * FRAMES, frames: FRAMES }
    const inputs: InputFile[] = Object.entries(files).map(([source, text]) => ({
      source,
      digest: digestOf(text),
    }))
    let encodes = 0
    const make: SegmentMaker = {
      captureOptions: {},
      async *frames({ start, frames } = range) {
        const own = pictures.slice(start, start + frames)
        for await (const frame of framesOf(own, start, 'rgba', WIDTH, HEIGHT)) {
          onFrame?.(frame.index)
          yield frame
        }
      },
      async encode(frames) {
        encodes += 1
        const lines: string[] = []
        for await (const frame of frames) lines.push(`${frame.index}: ${frame.data[0]}`)
        return write(path, lines.join('\n'))
      },
      inputs: async () => [...inputs, { source: 'vid:composition', digest }],
    }
    const context = { options: store.options, signal, projectDir, workDir, warn: () => {} }
    const made = await stopsInTime(store.segment({ ...range, plan, path }, make, context))
    const all = [made, ...(made.more ?? [])]
    const texts = await Promise.all(all.map(({ file }) => bytesAt(file).catch(() => 'nothing')))
    return {
      text: texts.join(' and '),
      reused: made.reused,
      encodes,
      isInPlace: made.file.startsWith(path),
    }
  }
  const clean = () =>
    store.clean?.({
      ...{ options: store.options, signal: new AbortController().signal },
      ...{ projectDir, workDir: folder, warn: () => {} },
    })
  return { projectDir, segment, clean }
}

/** Turns over a bit in the middle of every file under a folder, as a failing disk would. */
export const damageFiles = async (folder: string): Promise<void> => {
  for (const name of await filesUnder(folder)) {
    const bytes = await readFile(join(folder, name))
    const at = Math.floor(bytes.length / 2)
    if (bytes.length > 0) bytes[at] = (bytes[at] ?? 0) ^ 1
    await writeFile(join(folder, name), bytes)
  }
}
