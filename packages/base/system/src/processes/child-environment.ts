/** Variables that programs need to start, to find their libraries and to open a window. */
const NAMES = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  'NIX_LD',
  'NIX_LD_LIBRARY_PATH',
  'LOCALE_ARCHIVE',
  'FONTCONFIG_FILE',
  'FONTCONFIG_PATH',
  'CHROME_DEVEL_SANDBOX',
  'DISPLAY',
  'XAUTHORITY',
  'WAYLAND_DISPLAY',
  'XDG_RUNTIME_DIR',
  'XDG_SESSION_TYPE',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
  '__CF_USER_TEXT_ENCODING',
])

const isNeeded = (name: string, platform: NodeJS.Platform): boolean => {
  // Windows does not tell upper case from lower case here.
  const key = platform === 'win32' ? name.toUpperCase() : name
  return NAMES.has(key) || key.startsWith('LC_')
}

/**
 * The environment for a program that vid starts: an allow list, so that no token or key of the caller's environment is
 * in the memory of a process that reads files and pages of strangers.
 */
export const childEnvironment = (
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isNeeded(entry[0], platform),
    ),
  )
