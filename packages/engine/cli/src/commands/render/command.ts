import { defineCommand } from '@vid/command'
import { renderCommandOptions } from './options.ts'
import { notForTools, renderRules } from './rules.ts'

/** `vid render [dir]`. */
export const renderCommand = defineCommand({
  path: 'render',
  summary: 'Render a composition to a video.',
  details: 'Renders index.html of a folder (default: the current one) and prints the path of the result.',
  arguments: [{ name: 'dir', default: '.', path: 'read' }],
  options: renderCommandOptions,
  conflicts: [...renderRules.conflicts, ['batch', 'serve']],
  needs: [...renderRules.needs, ['serve-port', 'serve']],
  event: 'render-complete',
  tool: {
    title: 'Render a composition to a video',
    effect: 'reads',
    without: [...notForTools, 'serve', 'serve-port'],
    isLong: true,
  },
  examples: [
    ['The folder "intro", as a draft', 'vid render intro --quality draft'],
    ['One video for each row', "vid render intro --batch rows.json -o 'out/{name}.mp4'"],
    ['Played in a browser while it is rendered', 'vid render intro --format hls --serve'],
    ['With other words', `vid render intro --variables '{"title":"Hello"}' -o hello.mp4`],
  ],
  run: async (run) =>
    run.options.batch === undefined
      ? (await import('./run.ts')).runRender(run)
      : (await import('./batch.ts')).runRenderBatch(run),
})
