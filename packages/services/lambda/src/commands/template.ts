import { resolve } from 'node:path'
import { defineCommand, fail, type OptionTable, type OptionValues, outputOptions } from '@vid/command'
import { imageFlag, stackSettingOptions, stackSettingsOf } from './shared/stack-settings.ts'

const lambdaTemplateOptions = {
  package: { kind: 'text', rule: 'a path', path: 'read', about: 'zip that vid lambda package --out has written' },
  image: { ...imageFlag, about: 'container image of the function, instead of a package' },
  ...stackSettingOptions,
  ...outputOptions,
} as const satisfies OptionTable

/** Pairs of options that contradict each other. */
const lambdaTemplateConflicts = [['package', 'image']] as const

/** Problems that involve several options. */
const templateProblems = ({ package: packageFile, image }: OptionValues<typeof lambdaTemplateOptions>) =>
  packageFile === undefined && image === undefined
    ? [fail('VID_USAGE', { command: 'lambda template', reason: 'give --package or --image' })]
    : []

/** `vid lambda template`. */
export const lambdaTemplateCommand = defineCommand({
  path: 'lambda template',
  summary: 'Print the CloudFormation template of the stack, for another tool to deploy it.',
  details:
    'The flags are written into it. A package must be in a bucket of the same region before the stack is created or updated: upload it under the key that the command prints, and name the bucket in the parameter CodeBucket. Sends no request to AWS.',
  options: lambdaTemplateOptions,
  examples: [
    ['With a package', 'vid lambda template --package function.zip > stack.json'],
    ['With an image', 'vid lambda template --image 123456789012.dkr.ecr.eu-central-1.amazonaws.com/vid:1 > stack.json'],
  ],
  conflicts: lambdaTemplateConflicts,
  check: ({ options }) => templateProblems(options),
  async run(run) {
    const { ownTemplate } = await import('../stack/own-template.ts')
    const { cwd, options, signal } = run
    const { package: packageFile, image } = options
    const { template, packageKey = null } = await ownTemplate({
      ...stackSettingsOf(options),
      ...(packageFile !== undefined && { packageFile: resolve(cwd, packageFile) }),
      ...(image !== undefined && { image }),
      signal,
    })
    return { template, packageKey }
  },
  text: ({ template, packageKey }) => ({
    lines: JSON.stringify(template, null, 2),
    ...(packageKey !== null && {
      after: [
        'before you create or update the stack, upload the package to the bucket of the parameter CodeBucket:',
        `  ${packageKey}`,
      ],
    }),
  }),
})
