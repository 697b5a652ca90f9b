import { resolve } from 'node:path'
import { defineCommand } from '@vid/command'
import { shellOptions } from './options.ts'

/** `vid container shell [dir]`. */
export const containerShellCommand = defineCommand({
  path: 'container shell',
  summary: 'Open a shell where --docker would render a folder, with the same limits.',
  details: 'Everything written there is lost.',
  arguments: [{ name: 'dir', default: '.' }],
  options: shellOptions,
  async run(run) {
    const [{ findEngine }, { ensureImage }, { containerSettings }, { openShell }] = await Promise.all([
      import('../engine/find-engine.ts'),
      import('../image/ensure-image.ts'),
      import('../run/settings.ts'),
      import('../run/shell.ts'),
    ])
    const { cwd, env, signal, stdin, stderr, options } = run
    const engine = await findEngine(env, signal)
    const image = await ensureImage(engine, {
      env,
      signal,
      onText: (text) => void stderr.write(text),
    })
    const settings = containerSettings(options.network === undefined ? {} : { network: options.network })
    const isTerminal = (stdin as NodeJS.ReadStream).isTTY === true
    const projectDir = resolve(cwd, run.arguments.dir)
    return { code: await openShell(engine, image, { projectDir, settings, isTerminal, signal }) }
  },
  exitCode: ({ code }) => code,
})
