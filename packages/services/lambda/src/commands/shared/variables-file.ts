import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Variable values as a render config takes them: inline, or in a file, which may be larger. */
export type GivenVariables = { readonly variables?: Record<string, unknown> } | { readonly variablesFile: string }

/**
 * Runs work with the variable values. Values of a file are copied to another file, because they were checked, and the
 * original may be a pipe or change.
 */
export const withVariablesFile = async <T>(
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
