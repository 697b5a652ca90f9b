import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { defineCommand } from '@vid/command'

/** Lists the clips of a composition: `vid template [dir]`. */
export default () =>
  defineCommand({
    path: 'template',
    package: '@vid/command-template',
    summary: 'List the clips of a composition.',
    arguments: [{ name: 'dir', default: '.' }],
    options: {
      from: { kind: 'integer', min: 0, max: 86_400, about: 'only clips that start at this second or later' },
      json: { kind: 'switch', about: 'one JSON object on stdout' },
    },
    examples: [['The folder "example"', 'vid template example']],
    // A command returns data and prints nothing: it works from a program too, and --json comes by itself.
    run: async ({ arguments: { dir }, options: { from = 0 }, cwd }) => {
      const page = await readFile(join(resolve(cwd, dir), 'index.html'), 'utf8')
      const starts = [...page.matchAll(/data-start="([\d.]+)"/g)].map(([, start]) => Number(start))
      return { starts: starts.filter((start) => start >= from).sort((one, other) => one - other) }
    },
    text: ({ starts }) => ({ lines: starts.map((start) => `${start} s`), after: `${starts.length} clips` }),
  })
