import type { VidError, Warning } from '@vid/kernel'
import { fail } from '../../errors.ts'
import { InvalidConfigError } from '../../invalid-config.ts'
import type { RenderConfig } from '../../renders/config-schema.ts'
import { prepareExecution } from '../../renders/prepare-execution.ts'
import type { LambdaProject } from '../shared/project.ts'
import type { BatchLine } from './batch-lines.ts'

/** Warnings about values that are shown one by one. */
const MAX_WARNINGS = 50

/** Values of lines that do not fit the declarations: errors under strict checking, else warnings. */
export const findMismatches = (
  lines: readonly BatchLine[],
  { composition }: LambdaProject,
  isStrict: boolean,
): { readonly errors: readonly VidError[]; readonly warnings: readonly Warning[] } => {
  const mismatches = lines.flatMap(({ inputLine, variables }) =>
    composition.warningsOf(variables).map((warning) => ({ ...warning, line: inputLine })),
  )
  if (isStrict)
    return {
      errors: mismatches.map(({ line, message }) => fail('VID_LAMBDA_BATCH_LINE', { line, problem: message })),
      warnings: [],
    }
  const warnings = mismatches.slice(0, MAX_WARNINGS).map(({ code, line, message }) => ({
    code,
    message: `Line ${line}: ${message}`,
    hint: 'Correct the line, or refuse such lines with --strict-variables.',
  }))
  const rest = mismatches.length - MAX_WARNINGS
  const [first] = mismatches
  if (rest <= 0 || !first) return { errors: [], warnings }
  const more = { code: first.code, message: `${rest} more values of lines do not fit` }
  return { errors: [], warnings: [...warnings, more] }
}

/** Lines that could not be started: a key that no result may have, values that are too large for the workflow. */
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
