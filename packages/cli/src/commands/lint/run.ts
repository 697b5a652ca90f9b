import { type CommandRun, settingsOf } from '@vid/command'
import { countFindings, lintFolder, openContext } from '@vid/render'
import { lintOptions } from './options.ts'

/** `vid lint`: what is wrong with a composition. */
export const runLint = async (run: CommandRun<typeof lintOptions, { readonly dir: string }>) => {
  const { cwd, env, signal, options, spelling, unguarded } = run
  const open = await openContext({ cwd, env, spelling, loading: unguarded })
  const settings = { ...settingsOf(lintOptions, options), projectDir: run.arguments.dir }
  const findings = await lintFolder(settings, open, signal)
  const counts = countFindings(findings)
  const ok = counts.errors === 0 && !(options.strict === true && counts.warnings > 0)
  return { ok, ...counts, findings }
}
