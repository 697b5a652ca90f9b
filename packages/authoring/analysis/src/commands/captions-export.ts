import { cuesText } from '@vid/captions/commands'
import { defineCommand } from '@vid/command'
import { compositionConflicts, withRenderer } from '../options.ts'
import { captionsExportOptions } from './captions-export-options.ts'

/** `vid captions export [dir]`. */
export const captionsExportCommand = defineCommand({
  path: 'captions export',
  summary: 'Write the captions of a composition as WebVTT or SRT, in the time of its video.',
  details:
    'Opens the page of index.html of a folder (default: the current one) once, and joins its <track> elements by language. With --from and --to, times count from the start of that part, as in its video. A render does the same with --captions sidecar or --captions track.',
  arguments: [{ name: 'dir', default: '.', path: 'read' }],
  options: captionsExportOptions,
  conflicts: [...compositionConflicts, ['into', 'output'], ['into', 'force']],
  examples: [
    ['Beside the video of the folder "intro"', 'vid captions export intro -o renders/intro.vtt'],
    ['Into the video, as text tracks', 'vid captions export intro --into renders/intro.mp4'],
    ['Of a part of it, as SRT', 'vid captions export intro --from 10s --to 20s -o part.srt'],
  ],
  run: (run) =>
    withRenderer(run, async (renderer) => (await import('./run-captions-export.ts')).runCaptionsExport(run, renderer)),
  text: ({ files }) => ({
    lines: files.map(({ file }) => file),
    after: files.map(
      ({ file, language, cues }) => `${file}: ${cuesText(cues)}${language === null ? '' : ` in ${language}`}`,
    ),
  }),
})
