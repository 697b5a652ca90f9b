import { basename, extname, relative, resolve } from 'node:path'
import type { CommandRun } from '@vid/command'
import { filmSettings } from '@vid/film/options'
import type { Renderer } from '@vid/render'
import { fail } from '../errors.ts'
import { readFilmCaptions } from '../export/film-captions.ts'
import { muxCaptions, requireContainer } from '../export/mux-captions.ts'
import type { Captions } from '../model/cue.ts'
import type { exportOptions } from './options.ts'
import { writerOf } from './write-captions.ts'

type ExportRun = CommandRun<typeof exportOptions, { readonly dir: string }>

/** What was written: a file for each language, or a text track of the same video. */
export interface ExportedCaptions {
  readonly files: readonly {
    /** From the current folder. */
    readonly file: string
    readonly language: string | null
    readonly cues: number
  }[]
}

/** The path for a language, where there are several. */
const pathFor = (output: string, language: string, isOne: boolean): string => {
  const extension = extname(output)
  return isOne ? output : `${output.slice(0, -extension.length)}.${language || 'und'}${extension}`
}

const describe = (cwd: string, path: string, { language, cues }: Captions): ExportedCaptions['files'][number] => ({
  file: relative(cwd, path),
  language: language ?? null,
  cues: cues.length,
})

/** The work of `vid captions export`. */
export const runExport = async (run: ExportRun, renderer: Renderer): Promise<ExportedCaptions> => {
  const { cwd, signal, report, options } = run
  const { dir } = run.arguments
  const { from, to, force = false, output = `${basename(resolve(cwd, dir))}.vtt` } = options
  const { into } = options
  if (into !== undefined) requireContainer(into)
  const writer = writerOf(output)
  const settings = { ...filmSettings(run, dir), ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const captions = await readFilmCaptions(renderer, settings, { signal, onWarning: report.warn })
  if (captions.size === 0) throw fail('VID_CAPTIONS_NONE', { folder: dir })
  if (into !== undefined) {
    const video = resolve(cwd, into)
    await muxCaptions(video, captions, signal)
    return { files: [...captions.values()].map((content) => describe(cwd, video, content)) }
  }
  const files = []
  for (const [language, content] of captions) {
    const path = resolve(cwd, pathFor(output, language, captions.size === 1))
    await writer.write(path, content, force)
    files.push(describe(cwd, path, content))
  }
  return { files }
}
