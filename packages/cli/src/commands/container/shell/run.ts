import { resolve } from 'node:path'
import { containerSettings, ensureImage, findEngine, openShell } from '@vid/container'
import { checkFlags, type RawFlags, throwErrors } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { shellFlags } from '../flags.ts'

/** `vid container shell`: resolves to the exit code of the shell. */
export const runContainerShell = async (
  dir: string,
  rawFlags: RawFlags,
  { cwd, env, signal, stdin, stderr }: CliContext,
): Promise<number> => {
  const { values: flags, errors } = checkFlags(shellFlags, rawFlags)
  throwErrors(errors)
  const engine = await findEngine(env, signal)
  const image = await ensureImage(engine, {
    env,
    signal,
    onText: (text) => void stderr.write(text),
  })
  const settings = containerSettings(flags.network === undefined ? {} : { network: flags.network })
  const isTerminal = (stdin as NodeJS.ReadStream).isTTY === true
  return openShell(engine, image, { projectDir: resolve(cwd, dir), settings, isTerminal, signal })
}
