import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPackage, type InstalledPackage } from '@vid/system/installed-package'

const HERE = dirname(fileURLToPath(import.meta.url))

/** A package of the project in a folder, or else beside this one. */
export const findSurface = (
  name: string,
  cwd: string,
): (InstalledPackage & { readonly isBeside: boolean }) | undefined => {
  const beside = findPackage(name, HERE)
  const surface = findPackage(name, cwd) ?? beside
  return surface && { ...surface, isBeside: surface.folder === beside?.folder }
}
