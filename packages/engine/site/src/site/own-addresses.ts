import { replaceRawElements } from '@vid/core'

/** Below this path the origin of a project has the files of other origins, each by its scheme, host and path. */
export const OWN_REMOTE_PATH = '/.vid/remote/'

/** Below which address the origin of a project has a file of another one; any other address as it is. */
export const ownAddress = (address: string): string => {
  const [, scheme = 'https:', rest] = /^(https?:)?\/\/(.+)$/is.exec(address) ?? []
  return rest === undefined ? address : `${OWN_REMOTE_PATH}${scheme.slice(0, -1).toLowerCase()}/${rest}`
}

/** The address that stands in a path and query below `OWN_REMOTE_PATH`; undefined where none does. */
export const remoteAddress = (url: string): string | undefined => {
  const [, scheme, rest] = /^\/\.vid\/remote\/(https?)\/([^/].*)$/s.exec(url) ?? []
  const address = `${scheme}://${rest}`
  return rest !== undefined && URL.canParse(address) ? address : undefined
}

/** `base` is the address of the file that refers to another one, if it has another origin. */
const refer = (address: string, base?: string): string => {
  const isRooted = base !== undefined && /^\/(?!\/)/.test(address)
  return ownAddress(isRooted ? new URL(address, base).href : address)
}

const CSS_REFERENCE = /(url\(\s*["']?|@import\s+["'])((?:https?:)?\/[^"')\s]+)/gi

/** A style sheet whose references to other origins are to this one. */
export const ownInCss = (css: string, base?: string): string =>
  css.replace(CSS_REFERENCE, (_, start: string, address: string) => `${start}${refer(address, base)}`)

const IMPORT = /(\b(?:from|import)\s*(?:\(\s*)?["'])((?:https?:)?\/[^"'\s]+)(?=["'])/g

/** A module whose imports from other origins are from this one. */
export const ownInScript = (script: string, base?: string): string =>
  script.replace(IMPORT, (_, start: string, address: string) => `${start}${refer(address, base)}`)

const ELEMENT = /<(?:script|link|img|image|use|feimage|video|audio|source|track|iframe|input)\b/gi
const TAG_END = /[^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*>/y
const ATTRIBUTE = /(\s(?:src|href|xlink:href|poster)\s*=\s*["']?)((?:https?:)?\/\/[^"'\s>]+)/gi
const SET = /(\ssrcset\s*=\s*)("[^"]*"|'[^']*')/gi
const STYLE = /(\sstyle\s*=\s*)("[^"]*"|'[^']*')/gi

/** A text with other start tags of elements that load files; one without an end is none, and so is what follows it. */
const replaceTags = (html: string, replace: (tag: string) => string): string => {
  const parts: string[] = []
  let done = 0
  ELEMENT.lastIndex = 0
  for (let start = ELEMENT.exec(html); start; start = ELEMENT.exec(html)) {
    TAG_END.lastIndex = ELEMENT.lastIndex
    if (!TAG_END.test(html)) break
    parts.push(html.slice(done, start.index), replace(html.slice(start.index, TAG_END.lastIndex)))
    done = TAG_END.lastIndex
    ELEMENT.lastIndex = done
  }
  return parts.join('') + html.slice(done)
}

const ownInScriptElement = (text: string, startTag: string): string =>
  /\btype\s*=\s*["']?importmap/i.test(startTag)
    ? text.replace(/"(https?:\/\/[^"]+)"(?=\s*[,}])/g, (_all, address: string) => `"${ownAddress(address)}"`)
    : ownInScript(text)

const ownInTag = (element: string): string =>
  element
    .replace(ATTRIBUTE, (_, start: string, address: string) => `${start}${ownAddress(address)}`)
    .replace(
      SET,
      (_, start: string, list: string) =>
        `${start}${list.replace(/((?:^["']|,)\s*)((?:https?:)?\/\/[^\s"']+)/g, (_all, before: string, address: string) => `${before}${ownAddress(address)}`)}`,
    )

/** A document that asks this origin for what it names of others. */
export const ownInHtml = (html: string): string => {
  const scripts = replaceRawElements(html, 'script', ownInScriptElement)
  const styles = replaceRawElements(scripts, 'style', (css) => ownInCss(css))
  const attributes = styles.replace(STYLE, (_, name: string, value: string) => `${name}${ownInCss(value)}`)
  return replaceTags(attributes, ownInTag)
}

/**
 * Turns the addresses that scripts ask for into those of this origin, as text that runs before every other script. What it
 * misses is refused by the policy of the document.
 */
export const OWN_ADDRESSES = `(() => {
  const own = ${ownAddressSource()};
  const change = (holder, name, at) => {
    const original = holder[name];
    if (original) holder[name] = function (...args) {
      if (typeof args[at] === 'string' || args[at] instanceof URL) args[at] = own(String(args[at]));
      return original.apply(this, args);
    };
  };
  change(window, 'fetch', 0);
  change(XMLHttpRequest.prototype, 'open', 1);
  const named = { HTMLScriptElement: ['src'], HTMLImageElement: ['src'], HTMLLinkElement: ['href'], HTMLMediaElement: ['src'], HTMLVideoElement: ['poster'], HTMLSourceElement: ['src'], HTMLTrackElement: ['src'], HTMLIFrameElement: ['src'] };
  for (const [type, names] of Object.entries(named)) {
    const { prototype } = window[type];
    for (const name of names) {
      const { get, set } = Object.getOwnPropertyDescriptor(prototype, name);
      Object.defineProperty(prototype, name, { get, set(value) { set.call(this, own(String(value))); }, configurable: true, enumerable: true });
    }
  }
  const { setAttribute } = Element.prototype;
  const loads = /^(script|img|image|link|video|audio|source|track|iframe|use)$/i;
  Element.prototype.setAttribute = function (name, value) {
    const isAddress = /^(src|href|poster)$/i.test(name) && loads.test(this.localName);
    return setAttribute.call(this, name, isAddress ? own(String(value)) : value);
  };
  const Face = window.FontFace;
  window.FontFace = function (family, source, ...rest) {
    const given = typeof source === 'string' ? source.replace(/(url\\(\\s*["']?)((?:https?:)?\\/\\/[^"')\\s]+)/gi, (all, start, address) => start + own(address)) : source;
    return new Face(family, given, ...rest);
  };
  window.FontFace.prototype = Face.prototype;
})();`.replaceAll(/\n\s*/g, ' ')

/** The same rule for the page, where addresses of the page's own origin stay as they are. */
function ownAddressSource(): string {
  return `(address) => {
    const [, scheme = 'https:', rest] = /^\\s*(https?:)?\\/\\/(.+)$/is.exec(address) ?? [];
    if (rest === undefined || new URL(address, location.href).origin === location.origin) return address;
    return '${OWN_REMOTE_PATH}' + scheme.slice(0, -1).toLowerCase() + '/' + rest;
  }`
}
