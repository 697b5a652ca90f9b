import { resolve } from 'node:path'
import { noSources } from '@vid/kernel'
import { cleanFlags } from './clean-flags.ts'
import { checkFlags, type GivenFlags, throwErrors } from './flag-check.ts'
import type { CliContext } from './flag-command.ts'
import { bytesText } from './output.ts'
import { createReport } from './report.ts'
import { defined, loadProjectConfig } from './setup.ts'

/** `vid clean`: removes what the store of a project keeps. */
export const runClean = async (dir: string, given: GivenFlags, context: CliContext): Promise<void> => {
  const { values: flags, errors } = checkFlags(cleanFlags, given)
  throwErrors(errors)
  const report = createReport({ ...context, json: flags.json === true, quiet: flags.quiet === true })
  const projectDir = resolve(context.cwd, dir)
  // What is turned off for now can have kept something before.
  const env = { ...context.env, VID_CACHE: '' }
  const { setup } = await loadProjectConfig(projectDir, defined({ preset: flags.preset }), {
    ...context,
    env,
  })
  const { store } = setup
  const { signal } = context
  const warn = report.warn
  const own = store && {
    options: store.options,
    signal,
    projectDir,
    workDir: projectDir,
    sources: noSources,
    warn,
  }
  const bytes = own ? ((await store.clean?.(own)) ?? 0) : 0
  report.event({ type: 'clean-complete', bytes })
  report.result(`freed ${bytesText(bytes)}`)
}
