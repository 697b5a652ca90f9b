/**
 * Gives fonts to a document, as text of a function of `names` (name and index of its family), `families` (of each, its
 * faces: address, weight, slant, characters) and `eager` (addresses). No element is added, so that no script or selector of
 * the page counts one. The eager fonts are there at once, as an installed font is: a script may measure text right away.
 * The others are loaded when they are drawn. Text without a family gets that of a render. One line, so that no line of the document moves.
 */
export const GIVE_FONTS = `(names, families, eager) => {
  const bytes = new Map();
  const load = (address) => {
    if (!bytes.has(address)) {
      const request = new XMLHttpRequest();
      request.open('GET', address, false);
      request.overrideMimeType('text/plain; charset=x-user-defined');
      request.send();
      bytes.set(address, Uint8Array.from(request.responseText, (character) => character.charCodeAt(0)).buffer);
    }
    return bytes.get(address);
  };
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':where(html) { font-family: Georgia, serif }');
  document.adoptedStyleSheets = [sheet];
  for (const [name, family] of names)
    for (const [address, weight, italic, range] of families[family]) {
      const source = eager.includes(address) ? load(address) : 'url(' + address + ')';
      const style = italic ? 'italic' : 'normal';
      document.fonts.add(new FontFace(name, source, { weight, style, ...(range && { unicodeRange: range }) }));
    }
}`.replaceAll(/\n\s*/g, ' ')
