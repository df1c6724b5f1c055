//! The screen as a picture: a PNG of sixteen colours with every view as a box and its text on it.

use super::screen::{HEIGHT, View, WIDTH};

/// Colours by number: red, green, blue.
const PALETTE: [[u8; 3]; 4] = [[250, 250, 250], [33, 33, 33], [187, 222, 251], [0, 0, 0]];
const PAPER: u8 = 0;
const INK: u8 = 1;
const BUTTON: u8 = 2;
const DARK: u8 = 3;

/// Letters of three by five dots, a row for each digit.
const GLYPHS: &[(char, &str)] = &[
    ('A', "25755"),
    ('B', "65656"),
    ('C', "34443"),
    ('D', "65556"),
    ('E', "74647"),
    ('F', "74644"),
    ('G', "34553"),
    ('H', "55755"),
    ('I', "72227"),
    ('J', "11152"),
    ('K', "55655"),
    ('L', "44447"),
    ('M', "57755"),
    ('N', "65555"),
    ('O', "25552"),
    ('P', "65644"),
    ('Q', "25573"),
    ('R', "65655"),
    ('S', "34216"),
    ('T', "72222"),
    ('U', "55557"),
    ('V', "55552"),
    ('W', "55775"),
    ('X', "55255"),
    ('Y', "55222"),
    ('Z', "71247"),
    ('0', "75557"),
    ('1', "26227"),
    ('2', "61247"),
    ('3', "61216"),
    ('4', "55711"),
    ('5', "74616"),
    ('6', "34652"),
    ('7', "71122"),
    ('8', "25252"),
    ('9', "25316"),
    (' ', "00000"),
    ('.', "00002"),
    (':', "02020"),
    ('-', "00700"),
    ('_', "00007"),
    ('/', "11244"),
    ('\'', "22000"),
];
/// What stands for every other letter.
const BOX: &str = "75557";
/// How many pixels a dot of a letter is wide and high.
const DOT: i32 = 2;

/// The picture of these views; of a dark screen when the device sleeps.
pub(super) fn png(views: &[View], is_awake: bool) -> Vec<u8> {
    let mut canvas = Canvas {
        pixels: vec![if is_awake { PAPER } else { DARK }; (WIDTH * HEIGHT) as usize],
    };
    for view in views.iter().filter(|_| is_awake) {
        let [left, top, right, bottom] = view.bounds;
        if view.on_tap.is_some() || view.on_hold.is_some() {
            canvas.fill([left + 1, top + 1, right - 1, bottom - 1], BUTTON);
        } else if view.scrolls {
            canvas.fill([left, top, right, top + 1], INK);
        }
        let label = if view.text.is_empty() {
            &view.description
        } else {
            &view.text
        };
        canvas.write(left + 4, top + 4, label, right);
    }
    encode(&canvas)
}

struct Canvas {
    pixels: Vec<u8>,
}

impl Canvas {
    fn fill(&mut self, [left, top, right, bottom]: [i32; 4], colour: u8) {
        for y in top.max(0)..bottom.min(HEIGHT) {
            for x in left.max(0)..right.min(WIDTH) {
                self.pixels[(y * WIDTH + x).unsigned_abs() as usize] = colour;
            }
        }
    }

    fn write(&mut self, left: i32, top: i32, text: &str, right: i32) {
        let mut x = left;
        for letter in text.chars() {
            if x + 3 * DOT > right {
                return;
            }
            let letter = letter.to_ascii_uppercase();
            let known = GLYPHS.iter().find(|(known, _)| *known == letter);
            let rows = known.map_or(BOX, |(_, rows)| rows);
            for (row, bits) in (0..).zip(rows.bytes()) {
                for column in 0..3 {
                    if (bits - b'0') & (4 >> column) != 0 {
                        let (x, y) = (x + column * DOT, top + row * DOT);
                        self.fill([x, y, x + DOT, y + DOT], INK);
                    }
                }
            }
            x += 4 * DOT;
        }
    }
}

/// Lines of four bits a pixel, each with a zero for "no filter" in front, stored uncompressed.
fn encode(canvas: &Canvas) -> Vec<u8> {
    let mut raw = Vec::new();
    for line in canvas.pixels.chunks(WIDTH as usize) {
        raw.push(0);
        raw.extend(
            line.chunks(2)
                .map(|pair| pair[0] << 4 | pair.get(1).unwrap_or(&0)),
        );
    }
    let mut header = Vec::new();
    header.extend(WIDTH.to_be_bytes());
    header.extend(HEIGHT.to_be_bytes());
    header.extend([4, 3, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut png, *b"IHDR", &header);
    chunk(&mut png, *b"PLTE", PALETTE.as_flattened());
    chunk(&mut png, *b"IDAT", &stored(&raw));
    chunk(&mut png, *b"IEND", &[]);
    png
}

fn chunk(png: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    png.extend(u32::try_from(data.len()).unwrap_or(0).to_be_bytes());
    let start = png.len();
    png.extend(name);
    png.extend(data);
    let sum = crc(&png[start..]);
    png.extend(sum.to_be_bytes());
}

/// A zlib stream of stored blocks.
fn stored(raw: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let mut blocks = raw.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        out.push(u8::from(blocks.peek().is_none()));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in raw {
        low = (low + u32::from(*byte)) % 65_521;
        high = (high + low) % 65_521;
    }
    out.extend((high << 16 | low).to_be_bytes());
    out
}

fn crc(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 {
                sum >> 1 ^ 0xedb8_8320
            } else {
                sum >> 1
            };
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::{crc, stored};

    #[test]
    fn sums_are_those_of_the_standards() {
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
        assert_eq!(stored(b"Wikipedia")[16..], 0x11e6_0398_u32.to_be_bytes());
    }
}
