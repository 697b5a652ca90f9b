import { realpath, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fontFolders } from '@vid/assets'

/** A setting of a Firefox profile with its reason. */
export interface FirefoxSetting {
  readonly name: string
  readonly value: boolean | number | string
  readonly reason: string
}

const set = (name: string, value: FirefoxSetting['value'], reason: string): FirefoxSetting => ({
  name,
  value,
  reason,
})

/** Every setting of the toolkit's profiles, each with its reason. */
export const firefoxSettings: readonly FirefoxSetting[] = [
  set('network.proxy.allow_hijacking_localhost', true, 'the loopback is reached through the egress proxy only'),
  set('network.dns.disablePrefetch', true, 'no name is looked up except by the proxy'),
  set('network.dns.disablePrefetchFromHTTPS', true, 'the same'),
  set('network.predictor.enabled', false, 'nothing is fetched that the page did not ask for'),
  set('network.prefetch-next', false, 'the same'),
  set('network.http.speculative-parallel-limit', 0, 'the same'),
  set('network.http.http3.enable', false, 'QUIC would bypass the proxy'),
  set('network.webtransport.enabled', false, 'the same'),
  set('media.peerconnection.enabled', false, 'a peer connection would bypass the proxy'),
  set('network.captive-portal-service.enabled', false, 'no network requests by the browser itself'),
  set('network.connectivity-service.enabled', false, 'the same'),
  set('network.trr.mode', 5, 'the same'),
  set('app.update.enabled', false, 'the same'),
  set('app.normandy.enabled', false, 'the same'),
  set('browser.safebrowsing.malware.enabled', false, 'the same'),
  set('browser.safebrowsing.phishing.enabled', false, 'the same'),
  set('browser.region.update.enabled', false, 'the same'),
  set('browser.search.update', false, 'the same'),
  set('browser.discovery.enabled', false, 'the same'),
  set('browser.topsites.contile.enabled', false, 'the same'),
  set('browser.chrome.site_icons', false, 'no icon is asked for'),
  set('browser.chrome.guess_favicon', false, 'the same'),
  set('datareporting.policy.dataSubmissionEnabled', false, 'nothing is reported'),
  set('datareporting.healthreport.uploadEnabled', false, 'the same'),
  set('toolkit.telemetry.enabled', false, 'the same'),
  set('toolkit.telemetry.server', '', 'the same'),
  set('extensions.update.enabled', false, 'nothing but the composition runs'),
  set('extensions.getAddons.cache.enabled', false, 'the same'),
  set('services.settings.server', 'data:,', 'the same'),
  set('media.gmp-manager.updateEnabled', false, 'the same'),
  set('browser.shell.checkDefaultBrowser', false, 'no question'),
  set('browser.startup.page', 0, 'no page of its own'),
  set('browser.startup.homepage', 'about:blank', 'the same'),
  set('browser.newtabpage.enabled', false, 'the same'),
  set('browser.tabs.warnOnClose', false, 'no question'),
  set('browser.sessionstore.resume_from_crash', false, 'a profile is used once'),
  set('browser.cache.disk.enable', false, 'the same'),

  set('image.animation_mode', 'none', 'an image moves with the clock of the page or not at all'),
  set('general.smoothScroll', false, 'a scroll position is reached in its own frame'),
  set('layout.css.prefers-color-scheme.content-override', 1, 'the light scheme, whatever the desktop prefers'),
  set('ui.prefersReducedMotion', 0, 'the composition moves, whatever the desktop says'),
  set('ui.useOverlayScrollbars', 1, 'a scrollbar is not part of the picture'),
  set('widget.non-native-theme.enabled', true, 'form fields look alike everywhere'),
  set('gfx.color_management.force_srgb', true, 'colours do not depend on the display'),
  set('gfx.webrender.software', true, 'software draws the same everywhere'),
  set('webgl.disabled', true, 'the graphics card of the machine would draw it, or nothing'),
  set('dom.webgpu.enabled', false, 'the same'),
  set('gfx.text.disable-aa', false, 'glyphs have smooth edges, whatever the desktop says'),
  set('gfx.text.subpixel-position.force-enabled', true, 'glyphs move by parts of a pixel'),
  set('gfx.bundled-fonts.activate', 0, 'emoji come from the fonts of the toolkit'),
  set('font.name-list.emoji', 'Noto Color Emoji', 'the same'),
  set('layout.css.devPixelsPerPx', '1.0', 'a CSS pixel is a pixel of the video'),
  set('intl.accept_languages', 'en-US, en', 'numbers and dates are written alike everywhere'),
  set('intl.locale.requested', 'en-US', 'the same'),
  set('media.autoplay.default', 0, 'media play without a click'),
  set('media.volume_scale', '0.0', 'sound is mixed elsewhere'),
  set('dom.ipc.processPrelaunch.enabled', false, 'one page needs no process in reserve'),
  set('dom.min_background_timeout_value', 0, 'a page in no window keeps its pace'),
  set('dom.timeout.enable_budget_timer_throttling', false, 'the same'),
  set('dom.max_script_run_time', 0, 'the toolkit itself decides when a page is stuck'),
  set('dom.max_chrome_script_run_time', 0, 'the same'),
]

/** Folders that content processes may read: without them, text in the bundled fonts stays empty. */
const readableFolders = async (): Promise<FirefoxSetting> => {
  const folders = await Promise.all(fontFolders().map((folder) => realpath(folder)))
  const value = folders.map((folder) => folder + sep).join(',')
  return set('security.sandbox.content.read_path_whitelist', value, 'pages are drawn with the bundled fonts')
}

/** Turns a folder into a profile with the toolkit's settings. */
export const writeFirefoxProfile = async (folder: string): Promise<void> => {
  const lines = [...firefoxSettings, await readableFolders()].map(
    ({ name, value }) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  )
  await writeFile(join(folder, 'user.js'), lines.join(''))
}

/** The command line of a Firefox; a driver adds only its connection. */
export const firefoxArguments = (profile: string): string[] => ['--headless', '--no-remote', '--profile', profile]

/** Variables that only a Firefox knows. */
export const firefoxVariables: Readonly<Record<string, string>> = {
  MOZ_CRASHREPORTER_DISABLE: '1',
  MOZ_HEADLESS: '1',
}
