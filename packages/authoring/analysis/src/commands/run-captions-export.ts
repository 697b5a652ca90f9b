import { basename, extname, relative, resolve } from 'node:path'
import { type Captions, captionsErrors, readCaptions, writerOf } from '@vid/captions'
import type { CommandRun } from '@vid/command'
import { holdsTextTracks, replaceTextTracks } from '@vid/ffmpeg'
import { defineErrors, type RenderPlan } from '@vid/protocol'
import type { Renderer } from '@vid/render'
import { compositionSettings } from '../options.ts'
import type { captionsExportOptions } from './captions-export-options.ts'

const fail = defineErrors(captionsErrors)

type ExportRun = CommandRun<typeof captionsExportOptions, { readonly dir: string }>

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
const pathFor = (output: string, language: string | undefined, isOne: boolean): string => {
  const extension = extname(output)
  return isOne ? output : `${output.slice(0, -extension.length)}.${language ?? 'und'}${extension}`
}

/** The captions of a plan, by language. */
const captionsOf = ({ sidecars = [] }: Pick<RenderPlan, 'sidecars'>): Captions[] =>
  sidecars
    .filter(({ suffix }) => suffix.endsWith('.vtt'))
    .map(({ suffix: file, text }) => readCaptions({ file, text, format: 'vtt' }).captions)

/** The work of `vid captions export`. */
export const runCaptionsExport = async (run: ExportRun, renderer: Renderer): Promise<ExportedCaptions> => {
  const { cwd, signal, report, options } = run
  const { dir } = run.arguments
  const { into, force = false, output = `${basename(resolve(cwd, dir))}.vtt` } = options
  if (into !== undefined && !holdsTextTracks(into)) throw fail('VID_CAPTIONS_VIDEO', { file: into })
  const writer = writerOf(output)
  const { from, to } = options
  const settings = {
    ...compositionSettings(run, dir),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    captions: 'sidecar,track',
  }
  const { result: plan } = await renderer.withComposition(settings, async (composition) => composition.plan, {
    signal,
    onWarning: report.warn,
  })
  const captions = captionsOf(plan)
  const describe = (path: string, { language, cues }: Captions): ExportedCaptions['files'][number] => ({
    file: relative(cwd, path),
    language: language ?? null,
    cues: cues.length,
  })
  if (into !== undefined) {
    const video = resolve(cwd, into)
    await replaceTextTracks(video, plan.textTracks ?? [], signal)
    return { files: captions.map((content) => describe(video, content)) }
  }
  const files = []
  for (const content of captions) {
    const path = resolve(cwd, pathFor(output, content.language, captions.length === 1))
    await writer.write(path, content, force)
    files.push(describe(path, content))
  }
  return { files }
}
