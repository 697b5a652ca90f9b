import { loadProjectConfig, openContext } from '@vid/render'
import type { FunctionEnvironment } from './environment.ts'

/** Loads the config that the function was built with; returns the formats that it can make. */
export const checkFunction = async ({
  codeDir,
  env,
}: Pick<FunctionEnvironment, 'codeDir' | 'env'>): Promise<{ readonly formats: readonly string[] }> => {
  const context = await openContext({ cwd: codeDir, configFrom: 'cwd', env, isFarSide: true })
  const { setup } = await loadProjectConfig(codeDir, {}, context)
  return { formats: setup.encoders.flatMap(({ formats }) => formats) }
}
