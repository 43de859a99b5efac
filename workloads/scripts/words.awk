# Word statistics over generated text: associative arrays, split, gsub, substr, string concatenation.
# Prints its answer and fails when it is not the known one. -v lines=N for another amount of text
# (the answer is known for 150000 and 2000).
BEGIN {
    if (!lines) lines = 150000
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
    known[150000] = "@BIG@"
    known[2000] = "@SMALL@"
    exit ((lines in known) && known[lines] != answer)
}
