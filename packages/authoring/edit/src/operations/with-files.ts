import type { Target } from './operation.ts'

/** A target with another name of its file. */
export const renamedTarget = (target: Target, fileOf: (file: string) => string): Target => {
  if (typeof target !== 'string') return { ...target, file: fileOf(target.file) }
  const cut = target.indexOf('#')
  return cut > 0 ? `${fileOf(target.slice(0, cut))}${target.slice(cut)}` : target
}

const isTarget = (value: unknown): value is Target =>
  typeof value === 'string' ||
  (typeof value === 'object' && value !== null && 'file' in value && typeof value.file === 'string')

/** Operations with other names of the files that they are about; what is no operation stays as it is, to be refused later. */
export const withFiles = (operations: readonly unknown[], fileOf: (file: string) => string): readonly unknown[] =>
  operations.map((operation) => {
    if (typeof operation !== 'object' || operation === null) return operation
    const { target, file } = operation as { readonly target?: unknown; readonly file?: unknown }
    return {
      ...operation,
      ...(isTarget(target) && { target: renamedTarget(target, fileOf) }),
      ...(typeof file === 'string' && { file: fileOf(file) }),
    }
  })
