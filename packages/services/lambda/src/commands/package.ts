import { relative, resolve } from 'node:path'
import { bytesText, defineCommand, fail, type OptionTable, type OptionValues, outputOptions } from '@vid/command'
import { configFlag } from './shared/options.ts'

const lambdaPackageOptions = {
  out: { kind: 'text', rule: 'a path', about: 'zip to write the package to' },
  'image-context': {
    kind: 'text',
    rule: 'a path',
    about: 'folder to write, from which docker build makes the image of the function',
  },
  config: configFlag,
  force: { kind: 'switch', about: 'replace an earlier zip or folder of this command' },
  ...outputOptions,
} as const satisfies OptionTable

/** Pairs of options that contradict each other. */
const lambdaPackageConflicts = [['out', 'image-context']] as const

/** Problems that involve several options. */
const packageProblems = ({ out, 'image-context': context }: OptionValues<typeof lambdaPackageOptions>) =>
  out === undefined && context === undefined
    ? [fail('VID_USAGE', { command: 'lambda package', reason: 'give --out or --image-context' })]
    : []

/** `vid lambda package`. */
export const lambdaPackageCommand = defineCommand({
  path: 'lambda package',
  summary: 'Write the package of the function, or a folder to build its image, without deploying.',
  details:
    'Builds the function from vid.config.ts as vid lambda deploy does, and checks it. --image-context is for a function that is too big for a package: its README names the commands that build, push and deploy the image. Prints the path.',
  options: lambdaPackageOptions,
  examples: [
    ['The package', 'vid lambda package --out function.zip'],
    ['A folder for docker build', 'vid lambda package --image-context image'],
  ],
  conflicts: lambdaPackageConflicts,
  check: ({ options }) => packageProblems(options),
  async run(run) {
    const { buildFunctionPackage, buildImageContext } = await import('../package/build-package.ts')
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
  },
  text: ({ formats, path }, { cwd }) => ({
    before: `built the function; formats: ${formats.join(', ')}`,
    lines: relative(cwd, path) || path,
  }),
})
