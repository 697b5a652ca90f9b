import { loadProjectConfig, openContext } from '@vid/render'
import type { LambdaRequest } from '../contract/execution-input.ts'
import type { FunctionEnvironment } from './environment.ts'

const loadSetup = async (
  { codeDir, env }: Pick<FunctionEnvironment, 'codeDir' | 'env'>,
  { preset }: Pick<LambdaRequest, 'preset'>,
) => {
  const context = await openContext({ cwd: codeDir, configFrom: 'cwd', env, isRemoteSide: true })
  return (await loadProjectConfig(codeDir, preset === undefined ? {} : { preset }, context)).setup
}

/** Whether the config enables the segment cache. */
export const keepsSegments = async (
  environment: Pick<FunctionEnvironment, 'codeDir' | 'env'>,
  request: Pick<LambdaRequest, 'preset'>,
): Promise<boolean> => (await loadSetup(environment, request)).store !== undefined

/** Loads the config that the function was built with; returns the formats that it supports. */
export const checkFunction = async (
  environment: Pick<FunctionEnvironment, 'codeDir' | 'env'>,
): Promise<{ readonly formats: readonly string[] }> => {
  const { encoders } = await loadSetup(environment, {})
  return { formats: encoders.flatMap(({ formats }) => formats) }
}
