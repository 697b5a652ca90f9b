import { relative } from 'node:path'
import { defineCommand } from '@vid/command'
import { lambdaPackageConflicts, lambdaPackageOptions, packageProblems } from './options.ts'

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
  run: async (run) => (await import('./run.ts')).runLambdaPackage(run),
  text: ({ formats, path }, { cwd }) => ({
    before: `built the function; formats: ${formats.join(', ')}`,
    lines: relative(cwd, path) || path,
  }),
})
