import type { VidError } from '@vid/kernel'
import { judgeMismatches } from '@vid/render'
import { fail } from '../../errors.ts'
import { InvalidConfigError } from '../../invalid-config.ts'
import type { RenderConfig } from '../../renders/config-schema.ts'
import { prepareExecution } from '../../renders/prepare-execution.ts'
import type { LambdaProject } from '../shared/project.ts'
import type { BatchLine } from './batch-lines.ts'

/** Finds lines whose values do not match the composition's variable declarations. */
export const findMismatches = (lines: readonly BatchLine[], { composition }: LambdaProject, isStrict: boolean) =>
  judgeMismatches(
    lines.flatMap(({ inputLine: row, variables }) =>
      composition.warningsOf(variables).map((warning) => ({ ...warning, row })),
    ),
    { isStrict, called: 'line', refuse: (line, problem) => fail('VID_LAMBDA_BATCH_LINE', { line, problem }) },
  )

/** Finds lines that could not be started: results with a reserved key, values too large for the workflow. */
export const findUnfit = async (
  lines: readonly BatchLine[],
  { siteId, batchId, config }: { readonly siteId: string; readonly batchId: string; readonly config: RenderConfig },
): Promise<readonly VidError[]> => {
  const errors: VidError[] = []
  for (const { inputLine, outputKey, variables } of lines)
    try {
      await prepareExecution({ siteId, batchId, config: { ...config, variables }, outputKey })
    } catch (thrown) {
      if (!(thrown instanceof InvalidConfigError)) throw thrown
      for (const { field, problem } of thrown.problems)
        errors.push(
          fail('VID_LAMBDA_BATCH_LINE', {
            line: inputLine,
            problem: `${field.replace(/^config\./, '')} cannot be used: ${problem}`,
          }),
        )
    }
  return errors
}
