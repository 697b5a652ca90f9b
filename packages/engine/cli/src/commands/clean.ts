import { bytesText, defineCommand, type OptionTable, renderOptions } from '@vid/command'

const cleanOptions = {
  preset: renderOptions.preset,
  json: { kind: 'switch', about: 'one JSON object on stdout' },
  quiet: renderOptions.quiet,
} as const satisfies OptionTable

/** `vid clean [dir]`. */
export const cleanCommand = defineCommand({
  path: 'clean',
  summary: 'Remove the cached segments of a project.',
  details:
    'Empties the cache of a folder (default: the current one), by default .vid/cache, and prints how many bytes it freed. The next render renders every segment again.',
  arguments: [{ name: 'dir', default: '.' }],
  options: cleanOptions,
  examples: [['The folder "intro"', 'vid clean intro']],
  event: 'clean-complete',
  async run(run) {
    const { cleanCache, openContext } = await import('@vid/render')
    const { cwd, env, signal, report, spelling, unguarded } = run
    const { preset } = run.options
    const open = await openContext({ cwd, env, spelling, loading: unguarded })
    const settings = { projectDir: run.arguments.dir, ...(preset !== undefined && { preset }) }
    return { bytes: await cleanCache(settings, open, { signal, onWarning: report.warn }) }
  },
  text: ({ bytes }) => `freed ${bytesText(bytes)}`,
})
