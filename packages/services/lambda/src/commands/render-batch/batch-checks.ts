import { defineErrors, type VidError } from '@vid/protocol'
import { groupProblems, judgeProblems, renderErrors, rowsText } from '@vid/render'
import { fail } from '../../errors.ts'
import { isInvalidConfig } from '../../invalid-config.ts'
import type { RenderConfig } from '../../renders/config-schema.ts'
import { prepareExecution } from '../../renders/prepare-execution.ts'
import type { LambdaProject } from '../shared/project.ts'
import type { BatchLine } from './batch-lines.ts'

const failBatch = defineErrors(renderErrors)

/** Finds values that do not match the composition's variable declarations; each mistake is named once. */
export const findMismatches = (lines: readonly BatchLine[], { composition }: LambdaProject, isStrict: boolean) => {
  const problems = lines.flatMap(({ inputLine: row, variables }) =>
    composition.warningsOf(variables).map(({ code, message }) => ({ row, code, message, kind: message })),
  )
  const refuse = (line: number, problem: string) => fail('VID_LAMBDA_BATCH_LINE', { line, problem })
  return judgeProblems(groupProblems(problems, { called: 'line', total: lines.length }), {
    isStrict,
    called: 'line',
    refuse: ({ rows: [first = 0, ...others], problem }) =>
      refuse(first, others.length === 0 ? problem : `${problem.replace(/\.$/, '')}, as in ${rowsText('line', others)}`),
    refuseRest: (more) => failBatch('VID_BATCH_REST', { more }),
  })
}

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
      if (!isInvalidConfig(thrown)) throw thrown
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
