// A drawing as a file: SVG as it stands, PNG and PDF painted from it. Colours and letters are written into the elements,
// so that the file needs no style sheet.

const kept = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'font-size', 'font-family',
  'font-weight', 'text-anchor', 'dominant-baseline', 'opacity', 'paint-order'];
const margin = 16;
const namespace = 'http://www.w3.org/2000/svg';

export interface Picture { svg: string; width: number; height: number }

// Of a sheet (sheet.tsx): all of its drawing, wherever it is moved.
export function pictureOf(sheet: SVGSVGElement): Picture {
  const drawing = sheet.querySelector('g')!;
  const { x, y, width, height } = drawing.getBBox();
  const copy = drawing.cloneNode(true) as SVGGElement;
  copy.removeAttribute('transform');
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  [copy, ...copy.querySelectorAll('*')].forEach((element, index) => {
    const style = getComputedStyle(originals[index]!);
    for (const name of kept) {
      const value = style.getPropertyValue(name);
      if (value) element.setAttribute(name, value);
    }
    for (const name of ['class', 'style', 'role', 'tabindex', 'aria-label', 'aria-pressed', 'data-node']) element.removeAttribute(name);
  });
  for (const button of copy.querySelectorAll('[data-fold]')) button.remove();
  const whole = { width: Math.ceil(width + 2 * margin), height: Math.ceil(height + 2 * margin) };
  const paper = getComputedStyle(sheet).backgroundColor;
  const svg = `<svg xmlns="${namespace}" width="${whole.width}" height="${whole.height}" `
    + `viewBox="${x - margin} ${y - margin} ${whole.width} ${whole.height}">`
    + `<rect x="${x - margin}" y="${y - margin}" width="100%" height="100%" fill="${paper}"/>`
    + `${new XMLSerializer().serializeToString(copy)}</svg>`;
  return { svg, ...whole };
}

const largest = 8000;   // pixels of a side

async function painted({ svg, width, height }: Picture, type: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = () => reject(new Error('the picture cannot be painted'));
      image.src = address;
    });
    const scale = Math.min(2, largest / width, largest / height);
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [Math.ceil(width * scale), Math.ceil(height * scale)];
    const context = canvas.getContext('2d')!;
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), type, 0.95);
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

export const asSvg = ({ svg }: Picture): Blob => new Blob([svg], { type: 'image/svg+xml' });
export const asPng = (picture: Picture): Promise<Blob> => painted(picture, 'image/png');

// One page of the size of the drawing, with the painted picture on it (ISO 32000-1: an image XObject in JPEG).
export async function asPdf(picture: Picture): Promise<Blob> {
  const jpeg = new Uint8Array(await (await painted(picture, 'image/jpeg')).arrayBuffer());
  const [pixelsWide, pixelsHigh] = sizeOfJpeg(jpeg);
  const { width, height } = picture;
  const shown = `q ${width} 0 0 ${height} 0 0 cm /Picture Do Q`;
  const objects: (string | [string, Uint8Array])[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /XObject << /Picture 5 0 R >> >> >>`,
    `<< /Length ${shown.length} >>\nstream\n${shown}\nendstream`,
    [`<< /Type /XObject /Subtype /Image /Width ${pixelsWide} /Height ${pixelsHigh} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`, jpeg],
  ];
  const parts: BlobPart[] = [];
  let length = 0;
  const put = (part: string | Uint8Array) => {
    const bytes = typeof part === 'string' ? new TextEncoder().encode(part) : part;
    parts.push(bytes as BlobPart);
    length += bytes.length;
  };
  put('%PDF-1.4\n');
  const places = objects.map((object, index) => {
    const place = length;
    put(`${index + 1} 0 obj\n`);
    if (typeof object === 'string') put(object);
    else { put(object[0]); put(object[1]); put('\nendstream'); }
    put('\nendobj\n');
    return place;
  });
  const table = length;
  put(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')}`);
  put(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return new Blob(parts, { type: 'application/pdf' });
}

// From the frame header (ITU-T T.81, B.2.2).
function sizeOfJpeg(bytes: Uint8Array): [number, number] {
  for (let at = 2; at + 9 < bytes.length;) {
    const marker = bytes[at + 1]!;
    if (marker >= 0xc0 && marker <= 0xc3) return [bytes[at + 7]! * 256 + bytes[at + 8]!, bytes[at + 5]! * 256 + bytes[at + 6]!];
    at += 2 + bytes[at + 2]! * 256 + bytes[at + 3]!;
  }
  throw new Error('the picture has no size');
}
