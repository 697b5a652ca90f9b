import { open } from 'node:fs/promises'
import type { PackageManifest } from './installed.ts'

const allows = (values: readonly string[] | undefined, value: string): boolean => {
  if (!values || values.length === 0) return true
  if (values.includes(`!${value}`)) return false
  return values.includes(value) || values.every((name) => name.startsWith('!'))
}

/** Whether a package is declared for another system than Lambda's: Linux with glibc on x86-64. */
export const isForeign = ({ os, cpu, libc }: PackageManifest): boolean =>
  !allows(os, 'linux') || !allows(cpu, 'x64') || !allows(libc, 'glibc')

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']

/** Whether a package generates files for the local machine when it is installed. */
export const hasInstallScript = ({ scripts = {} }: PackageManifest): boolean =>
  INSTALL_SCRIPTS.some((name) => Object.hasOwn(scripts, name))

const X86_64 = 62

/** Whether a file is native code for Linux on x86-64. */
export const isLambdaBinary = async (path: string): Promise<boolean> => {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(20), 0, 20, 0)
  return bytesRead === 20 && buffer.toString('latin1', 0, 4) === '\x7fELF' && buffer.readUInt16LE(18) === X86_64
}
