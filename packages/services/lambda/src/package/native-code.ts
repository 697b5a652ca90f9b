import { fail } from '../errors.ts'
import type { Closure } from './closure.ts'
import type { Installed } from './installed.ts'
import type { PackageFile } from './package-files.ts'
import { hasInstallScript, isForeign, isLambdaBinary } from './platform.ts'

/** The browser package, with the browser for Lambda if npm was allowed to install it. */
const ENGINE = '@vid/browser'
const BROWSER = '@vid/chromium-linux-x64'

/** Refuses packages without native code for Lambda: npm installs that of the local system. */
export const checkNativeCode = async (
  { packages }: Closure,
  files: readonly PackageFile[],
  installed: Installed,
): Promise<void> => {
  const isHere = process.platform === 'linux' && process.arch === 'x64'
  const problems: string[] = []
  for (const { installed: installedPackage, dependencies } of packages.values()) {
    const { name, manifest, folder } = installedPackage
    if (isForeign(manifest))
      problems.push(`${name} is for ${[...(manifest.os ?? []), ...(manifest.cpu ?? [])].join(' ')}`)
    if (!isHere && hasInstallScript(manifest)) problems.push(`${name} was built for this machine when it was installed`)
    const optional = Object.keys(manifest.optionalDependencies ?? {})
    const optionalPackages = await Promise.all(optional.map((other) => installed.find(other, folder)))
    const foreign = optionalPackages.filter((other) => other && isForeign(other.manifest))
    const isServed = optional.some((other) => dependencies.has(other))
    if (foreign.length > 0 && !isServed)
      problems.push(`${name} has ${foreign.map((other) => other?.name).join(', ')} only`)
  }
  const names = new Set([...packages.values()].map((node) => node.installed.name))
  if (names.has(ENGINE) && !names.has(BROWSER)) problems.push(`${BROWSER} is not installed`)
  for (const { path, from } of files)
    if (path.endsWith('.node') && typeof from === 'string' && !(await isLambdaBinary(from)))
      problems.push(`${path} is no native code for Linux on x86-64`)
  if (problems.length > 0) throw fail('VID_LAMBDA_PACKAGE_NATIVE', { problems })
}
