import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Values of variables as the config of a render takes them: by themselves, or by a file, which may be larger. */
export type GivenVariables = { readonly variables?: Record<string, unknown> } | { readonly variablesFile: string }

/**
 * Runs with the values of variables. Those of a file are written to another one: they were checked, while the file may
 * be a pipe, or change.
 */
export const withVariables = async <T>(
  variables: Readonly<Record<string, unknown>> | undefined,
  isOfFile: boolean,
  work: (values: GivenVariables) => Promise<T>,
): Promise<T> => {
  if (!isOfFile || variables === undefined) return work(variables ? { variables: { ...variables } } : {})
  const folder = await mkdtemp(join(tmpdir(), 'vid-lambda-'))
  try {
    const variablesFile = join(folder, 'variables.json')
    await writeFile(variablesFile, JSON.stringify(variables), { mode: 0o600 })
    return await work({ variablesFile })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
