import { type ResultText, type ResultView, shortPath } from '@vid/command'
import { packageOrigin } from '@vid/system/origin'
import { nextCommand } from '../../new-project.ts'

/** A new project, and how to go on with it. */
export const initText = (
  { folder, template }: { readonly folder: string; readonly template: string },
  { cwd }: Pick<ResultView, 'cwd'>,
): ResultText => ({
  before: [
    `made from the template "${template}"; \`${packageOrigin().command} init --list\` shows the others`,
    `next: ${nextCommand(folder, cwd, 'npm install && npx vid preview')}`,
  ],
  lines: shortPath(folder, cwd),
})
