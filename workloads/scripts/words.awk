# Word statistics over generated text: associative arrays, split, gsub, substr, string concatenation.
# Prints its answer and fails when it is not the known one. -v lines=N for another amount of text
# (the answer is known for 75000, 60000, 20000 and 2000).
BEGIN {
    if (!lines) lines = 75000
    seed = 42
    for (i = 0; i < 5000; i++) word[i] = "w" int(i * 7919 % 100003) "_" i

    for (line = 0; line < lines; line++) {
        text = ""
        for (k = 0; k < 12; k++) {
            seed = (seed * 1103515 + 12345) % 2147483648
            text = text " " word[int(seed / 4096) % 5000]
        }
        count = split(text, part, " ")
        for (k = 1; k <= count; k++) {
            frequency[part[k]]++
            pair[part[k] SUBSEP (line % 64)]++
        }
        if (line % 3 == 0) {
            replaced += gsub(/_[0-9]/, "-<&>-", text)
            kept[line % 20000] = text
        } else if (line % 3 == 1) {
            upper = toupper(substr(text, 5, 60))
            tail[line % 30000] = upper "|" length(text)
        } else {
            delete kept[line * 7 % 20000]
        }
    }

    for (w in frequency) total += frequency[w]
    for (p in pair) pairs++
    for (l in kept) kept_length += length(kept[l])
    for (l in tail) tail_length += length(tail[l])
    answer = total " " pairs " " replaced " " kept_length " " tail_length
    print answer
    known[75000] = "900000 301024 300000 1880015 640000"
    known[60000] = "720000 286515 240000 1880190 640000"
    known[20000] = "240000 168826 80004 1104045 426688"
    known[2000] = "24000 23108 8004 125386 42688"
    exit ((lines in known) && known[lines] != answer)
}
