import { resolve } from 'node:path'
import { bytesText, type CommandRun } from '@vid/command'
import { buildFunctionPackage, buildImageContext } from '../../package/build-package.ts'
import type { lambdaPackageOptions } from './options.ts'

/** `vid lambda package`: writes the package of the function, or a folder to build its image from. */
export const runLambdaPackage = async (run: CommandRun<typeof lambdaPackageOptions>) => {
  const { cwd, signal, json, report } = run
  const { out, config, force: replaces = false, 'image-context': imageContext = '' } = run.options
  const build = out === undefined ? buildImageContext : buildFunctionPackage
  return build({
    cwd,
    replaces,
    signal,
    out: resolve(cwd, out ?? imageContext),
    ...(config !== undefined && { configFile: resolve(cwd, config) }),
    onStep: (step, bytes) => {
      if (step === 'checking' && !json) report.note(`building the function: starting its ${bytesText(bytes)} once`)
    },
  })
}
