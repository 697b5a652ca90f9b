import { defineErrors, type ErrorTable } from '@vid/protocol'

const CHOOSE_BROWSER =
  'Point it at a Chrome, Chromium or chrome-headless-shell program, or leave it out to use the embedded browser.'

/** Errors of finding and unpacking a browser; the codes are stable. */
export const browserErrors = {
  VID_BROWSER_PATH_MISSING: (facts: { setting: string; path: string }) => ({
    message: `${facts.setting} names a browser that does not exist; got "${facts.path}".`,
    hint: CHOOSE_BROWSER,
    fault: 'caller',
  }),
  VID_BROWSER_PATH_NOT_EXECUTABLE: (facts: { setting: string; path: string }) => ({
    message: `${facts.setting} names something that cannot be run as a program; got "${facts.path}".`,
    hint: `${CHOOSE_BROWSER} If the path is right, allow it to run (chmod +x); on a disk with the mount option noexec nothing may.`,
    fault: 'caller',
  }),
  VID_BROWSER_PATH_NOT_A_BROWSER: (facts: { setting: string; path: string; said: string; wanted: string }) => ({
    message: `${facts.setting} names a program that is not a ${facts.wanted} browser; got "${facts.path}", which answered --version with "${facts.said}".`,
    hint:
      facts.wanted === 'Firefox'
        ? 'Point it at a Firefox program, leave it out to use the installed Firefox, or capture with browser "chromium".'
        : CHOOSE_BROWSER,
    fault: 'caller',
  }),
  VID_FIREFOX_NOT_FOUND: (facts: { platform: string; searched: readonly string[] }) => ({
    message: `No Firefox was found on ${facts.platform}; looked for ${facts.searched.join(', ') || 'nothing'}.`,
    hint: 'Install Firefox (on Debian: apt-get install firefox-esr), set VID_BROWSER_PATH to its program, or capture with browser "chromium".',
    fault: 'machine',
  }),
  VID_BROWSER_NOT_FOUND: (facts: { platform: string; searched: readonly string[] }) => ({
    message: `No browser was found on ${facts.platform}; looked for ${facts.searched.join(', ') || 'nothing'}.`,
    hint: 'Run "vid browser install", install Chrome, or set VID_BROWSER_PATH to a Chrome, Chromium or chrome-headless-shell program.',
    fault: 'machine',
  }),
  VID_BROWSER_MIRROR_INVALID: (facts: { value: string }) => ({
    message: `VID_BROWSER_MIRROR is not an http or https address; got "${facts.value}".`,
    hint: 'Set it to the address of a copy of Chrome for Testing, such as https://mirror.example.com/chrome-for-testing, or unset it.',
    fault: 'caller',
  }),
  VID_BROWSER_NO_DOWNLOAD: (facts: { platform: string; milestone: number }) => ({
    message: `Chrome for Testing has no headless shell ${facts.milestone} for ${facts.platform}.`,
    hint: 'Install Chrome or Chromium (on Debian: apt-get install chromium), or set VID_BROWSER_PATH to such a program.',
    fault: 'machine',
  }),
  VID_BROWSER_DOWNLOAD: (facts: { url: string; reason: string }) => ({
    message: `The browser could not be downloaded from ${facts.url}: ${facts.reason}.`,
    hint: 'Check the network. If that address cannot be reached, set VID_BROWSER_MIRROR to a copy of Chrome for Testing, or VID_BROWSER_PATH to an installed Chrome.',
    fault: 'machine',
  }),
  VID_BROWSER_DOWNLOAD_UNFIT: (facts: { url: string; reason: string }) => ({
    message: `The download from ${facts.url} is not the browser: ${facts.reason}.`,
    hint: 'Try again; if it fails again, the mirror or a proxy changes files.',
    fault: 'machine',
  }),
  VID_BROWSER_DOWNLOAD_STARTS_NOT: (facts: { url: string; said: string }) => ({
    message: `The browser of ${facts.url} does not start here: ${facts.said}.`,
    hint: 'Install the libraries that it names (on Debian: apt-get install libnss3 libdbus-1-3 libgbm1 libasound2), or set VID_BROWSER_PATH to an installed Chrome.',
    fault: 'machine',
  }),
  VID_BROWSER_DOWNLOADED_DAMAGED: (facts: { folder: string }) => ({
    message: `The downloaded browser in "${facts.folder}" is damaged.`,
    hint: 'Run "vid browser install", which replaces it.',
    fault: 'machine',
  }),
  VID_BROWSER_WITHOUT_WINDOW: (facts: { found: string }) => ({
    message: `VID_HEADED=1 asks for a window, which vid opens with a full Chrome only; found ${facts.found}.`,
    hint: 'Install Chrome, set VID_BROWSER_PATH to a Chrome or Chromium program, capture with browser "chromium", or leave VID_HEADED out.',
    fault: 'caller',
  }),
  VID_BROWSER_NOT_EXECUTABLE: (facts: { folder: string; reason: string }) => ({
    message: `The browser cannot run in "${facts.folder}": ${facts.reason}.`,
    hint: 'Set VID_CACHE_DIR to a folder from which programs may run, or VID_BROWSER_PATH to an installed Chrome.',
    fault: 'machine',
  }),
  VID_BROWSER_STARTS_NOT: (facts: { folder: string; said: string }) => ({
    message: `The embedded browser, unpacked in "${facts.folder}", does not start here: ${facts.said}.`,
    hint: 'Install the libraries that it names, or set VID_BROWSER_PATH to an installed Chrome.',
    fault: 'machine',
  }),
  VID_BROWSER_UNPACK_FAILED: (facts: { archive: string; folder: string; reason: string }) => ({
    message: `The embedded browser could not be unpacked from "${facts.archive}" into "${facts.folder}": ${facts.reason}.`,
    hint: 'Check that the disk has 250 MB free, remove that folder and install the dependencies again, or set VID_CACHE_DIR to another folder.',
    fault: 'machine',
  }),
} satisfies ErrorTable

/** Creates the error of a code from its facts. */
export const browserError = defineErrors(browserErrors)
