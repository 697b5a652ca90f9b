import type { Shadows } from '../document/shadows.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { replaceAccessor } from '../realm/replace.ts'

/** Has a frame wait for a load; `detail` says for what. */
export type TrackLoad = (loading: Promise<unknown>, detail: string) => void

/** Files of elements that scripts add to a loaded page, or change in it. */
export interface ElementLoads {
  install(realm: Realm): void
  /** Waits for those that the browser loads only now, because their elements have just become visible. */
  request(): void
}

/** The attributes that name the file of an element, by its local name; the first one that is there counts. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  iframe: ['srcdoc', 'src'],
  object: ['data'],
  embed: ['src'],
  link: ['href'],
  use: ['href', 'xlink:href'],
}

const WATCHED = [...new Set(Object.values(ADDRESSES).flat()), 'rel', 'disabled']
const NAMES = [...Object.keys(ADDRESSES), 'style', 'script'].join()

/** Elements whose files the browser loads only while they are visible. */
const LOADED_WHEN_VISIBLE = /^(object|embed)$/

const IMPORT = /@import\b/i

const isStyleSheet = (link: HTMLLinkElement): boolean =>
  link.relList.contains('stylesheet') &&
  !link.relList.contains('alternate') &&
  !link.disabled &&
  /^(text\/css)?$/i.test(link.type.trim())

/** Whether a frame would only scroll to another place of its document. */
const isSamePage = (frame: HTMLIFrameElement, address: URL): boolean => {
  const shown = frame.contentDocument?.URL
  return shown !== undefined && address.hash !== '' && shown.split('#')[0] === address.href.split('#')[0]
}

const loadsFrame = (frame: HTMLIFrameElement, changed: string | undefined): boolean => {
  if (frame.hasAttribute('srcdoc')) return changed !== 'src'
  const text = frame.getAttribute('src') ?? ''
  if (text === '' || !URL.canParse(text, frame.baseURI)) return false
  const address = new URL(text, frame.baseURI)
  return !/^(about|javascript):$/.test(address.protocol) && !(changed && isSamePage(frame, address))
}

/** Whether a part of a drawing is one of the same document, which needs no load. */
const isOfDocument = ({ baseURI, ownerDocument }: Element, address: string): boolean =>
  !URL.canParse(address, baseURI) || new URL(address, baseURI).href.split('#')[0] === ownerDocument.URL.split('#')[0]

/** Whether the browser will report the end of a load of an element, one of whose attributes may have changed. */
const willLoad = (element: Element, changed: string | undefined): boolean => {
  const { localName } = element
  if (localName === 'style') return IMPORT.test(element.textContent)
  if (localName === 'iframe') return loadsFrame(element as HTMLIFrameElement, changed)
  if (localName === 'link') return isStyleSheet(element as HTMLLinkElement) && element.hasAttribute('href')
  const address = ADDRESSES[localName]?.map((name) => element.getAttribute(name)).find((text) => text !== null) ?? ''
  return address !== '' && !(localName === 'use' && isOfDocument(element, address))
}

/** The elements among some nodes and below them whose files the browser may load. */
const loadersIn = (nodes: Iterable<Node>): Element[] =>
  [...nodes].flatMap((node) => {
    if (!('querySelectorAll' in node)) return []
    const inside = (node as Element).querySelectorAll(NAMES)
    return 'localName' in node && (node as Element).matches(NAMES) ? [node as Element, ...inside] : [...inside]
  })

/** Reports the scripts whose address a script sets: markup of a script may be one that never runs. */
const watchScripts = (realm: Realm, onScript: (script: Element) => void): void => {
  const proto = realm.HTMLScriptElement.prototype
  const set = Object.getOwnPropertyDescriptor(proto, 'src')?.set
  replaceAccessor(proto, 'src', {
    set(this: HTMLScriptElement, value: unknown) {
      const isData = this.type !== '' && this.type !== 'module' && !/(java|ecma)script/i.test(this.type)
      if (!isData && !this.noModule) onScript(this)
      set?.call(this, value)
    },
  })
}

/** The loads that frames wait for, by their elements. */
const createWaiting = (track: TrackLoad) => {
  const ends = new Map<Element, () => void>()
  return {
    wait(element: Element) {
      if (ends.has(element)) return
      const { localName } = element
      const address = ADDRESSES[localName]?.map((name) => element.getAttribute(name)).find((text) => text) ?? ''
      const ended = new Promise<void>((resolve) => {
        const end = () => {
          ends.delete(element)
          resolve()
        }
        ends.set(element, end)
        for (const type of ['load', 'error']) natives.listen.call(element, type, end, { once: true })
      })
      track(ended, `<${localName}> ${address}`)
    },
    /** A browser does not load what was removed. */
    endRemoved() {
      for (const [element, end] of ends) if (!element.isConnected) end()
    },
  }
}

/** Creates the list. What such an element shows is drawn once it has loaded: in which frame would depend on the machine. */
export const createElementLoads = (shadows: Pick<Shadows, 'onTree'>, track: TrackLoad): ElementLoads => {
  const { wait, endRemoved } = createWaiting(track)
  const hidden = new Set<Element>()
  /** Scripts that have not run. */
  const scripts = new WeakSet<Element>()

  const look = (element: Element, changed?: string) => {
    if (element.localName === 'script') {
      if (scripts.delete(element)) wait(element)
      return
    }
    if (!willLoad(element, changed)) return
    if (element.localName === 'iframe') (element as HTMLIFrameElement).loading = 'eager'
    if (LOADED_WHEN_VISIBLE.test(element.localName) && !element.checkVisibility()) hidden.add(element)
    else wait(element)
  }
  const observer = new MutationObserver((records) => {
    for (const { type, target, attributeName, addedNodes } of records) {
      if (type === 'childList') for (const element of loadersIn(addedNodes)) look(element)
      else if ((target as Element).matches(NAMES)) look(target as Element, attributeName ?? undefined)
    }
    endRemoved()
    for (const element of hidden) if (!element.isConnected) hidden.delete(element)
  })
  const observe = (tree: Document | ShadowRoot) => {
    observer.observe(tree, { subtree: true, childList: true, attributeFilter: WATCHED })
  }

  return {
    install(realm) {
      const trees: (Document | ShadowRoot)[] = [realm.document]
      // What is there before is loaded with the document.
      const begin = () => trees.splice(0).forEach(observe)
      if (realm.document.readyState === 'complete') begin()
      else natives.listen.call(realm, 'load', begin, { capture: true, once: true })
      shadows.onTree((tree) => {
        if (tree.ownerDocument !== realm.document) return
        if (realm.document.readyState !== 'complete') return void trees.push(tree)
        observe(tree)
        for (const element of loadersIn([tree])) look(element)
      })
      watchScripts(realm, (script) => scripts.add(script))
    },
    request() {
      for (const element of hidden) {
        if (!element.checkVisibility()) continue
        hidden.delete(element)
        wait(element)
      }
    },
  }
}
