import { relative, resolve } from 'node:path'
import { buildFunctionPackage, buildImageContext } from '@vid/lambda'
import { fail } from '../../../errors.ts'
import { startCommand } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { bytesText } from '../../../text.ts'
import { lambdaPackageConflicts, lambdaPackageFlags } from './flags.ts'

/** `vid lambda package`: writes the package of the function, or a folder to build its image from, and prints its path. */
export const runLambdaPackage = async (rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { cwd, signal } = context
  const { flags, json, report } = startCommand(lambdaPackageFlags, rawFlags, context, {
    conflicts: lambdaPackageConflicts,
  })
  const { out, config, force: replaces = false, 'image-context': imageContext } = flags
  const target = out ?? imageContext
  if (target === undefined)
    throw fail('VID_USAGE', { command: 'lambda package', reason: 'give --out or --image-context' })
  const build = out === undefined ? buildImageContext : buildFunctionPackage
  const built = await build({
    cwd,
    replaces,
    signal,
    out: resolve(cwd, target),
    ...(config !== undefined && { configFile: resolve(cwd, config) }),
    onStep: (step, bytes) => {
      if (step === 'checking' && !json) report.note(`building the function: starting its ${bytesText(bytes)} once`)
    },
  })
  report.event({ type: 'lambda-package', ...built })
  if (!json) report.note(`built the function; formats: ${built.formats.join(', ')}`)
  report.result(relative(cwd, built.path) || built.path)
}
